import * as v from 'valibot'
import type { ClaimedJob } from '#db/claim.ts'
import { GiveUp, type JobKind } from '#kernel/contract/module.ts'

interface Jobs {
  /** The jobs that one run of the handler does. */
  jobs: readonly [ClaimedJob, ...ClaimedJob[]]
}

interface Runnable extends Jobs {
  kind: JobKind
  payload: unknown
}

/** What a handler runs with, or the reason why it cannot run. */
export type JobRun = Runnable | (Jobs & { error: Error })

/**
 * For a payload from another version of the program, for example. The message names fields, not values: some are
 * secret.
 */
const invalidPayload = ({ name }: JobKind, issues: readonly v.BaseIssue<unknown>[]): GiveUp => {
  const fields = new Set(issues.map((issue) => v.getDotPath(issue) ?? 'the whole'))
  return new GiveUp(`The payload is not one of the job ${name}: ${[...fields].join(', ')}.`)
}

const runOf = (job: ClaimedJob, kind: JobKind | undefined): JobRun => {
  if (!kind) return { jobs: [job], error: new Error(`There is no job of the kind ${job.kind}.`) }
  const parsed = v.safeParse(kind.payload, job.payload)
  if (!parsed.success) return { jobs: [job], error: invalidPayload(kind, parsed.issues) }
  return { jobs: [job], kind, payload: parsed.output }
}

/** A job that failed, or whose worker died, runs alone: it must not fail others again. */
const mayJoin = ({ jobs: [first] }: JobRun): boolean => first.attempts === 1 && first.max_attempts > 1

/** Returns one run in place of both; undefined: they run apart. */
const joined = (one: JobRun, other: JobRun): JobRun | undefined => {
  if ('error' in one || 'error' in other || one.kind !== other.kind || !one.kind.join) return undefined
  if (one.jobs[0].lane !== other.jobs[0].lane || !mayJoin(one) || !mayJoin(other)) return undefined
  const payload = one.kind.join(one.payload, other.payload)
  return payload === undefined ? undefined : { jobs: [...one.jobs, ...other.jobs], kind: one.kind, payload }
}

/** The runs of jobs that were claimed together. Jobs whose kind joins them share a run. */
export const runsOf = (claimed: readonly ClaimedJob[], kinds: ReadonlyMap<string, JobKind>): JobRun[] => {
  const runs: JobRun[] = []
  for (const job of claimed) {
    const kind = kinds.get(job.kind)
    const alone = runOf(job, kind)
    const at = kind?.join ? runs.findIndex((run) => joined(run, alone) !== undefined) : -1
    if (at === -1) runs.push(alone)
    else runs[at] = joined(runs[at] as JobRun, alone) as JobRun
  }
  return runs
}
