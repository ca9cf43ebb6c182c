import type * as v from 'valibot'
import type { Asker, TenantInfo } from '#kernel/who/actor.ts'
import type { Authenticator } from './authenticator.ts'
import type { Check, Probe } from './check.ts'
import type { Credential } from './credential.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventData, EventType } from './events.ts'
import type { Job, NoPayload } from './job.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { PersonColumn } from './person-columns.ts'
import type { OutsideDb, ScopedDb, SystemDb, TableRules, Tables } from './tables.ts'
import type { SystemTx } from './unit-of-work.ts'

/** A job as its handler sees it. A handler may run more than once for the same job, so it must be safe to repeat. */
export interface JobContext<P = unknown, L = unknown> {
  payload: P
  /** What `load` returned. */
  loaded: L
  /** 1 on the first run. */
  attempt: number
  now: string
  /** Rows that belong to no institute. */
  db: OutsideDb
  /** Committed rows of one institute. */
  inTenant(tenant: Pick<TenantInfo, 'id'>): ScopedDb
  /** All rows of the database, for the few jobs that cannot name an institute. */
  everywhere: SystemDb
  /** Runs a transaction that is committed on its own, even if the job fails later. */
  change<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Like `change`, for somebody who asked for it: the handler checks that they still may. */
  changeFor<T>(asker: Asker, work: (tx: SystemTx) => Promise<T>): Promise<T>
  /**
   * Runs the last transaction of the job. It is committed together with the end of the job, and so at most once, however
   * often the job runs. The job gives up its place at once, so that one group commit can store the end of this job and
   * the start of the next.
   */
  finish(work: (tx: SystemTx) => Promise<void>): Promise<void>
  /** Aborted when the program shuts down. */
  signal: AbortSignal
}

/** How the jobs of one kind run. The page test/examples/jobs shows each option in a small example. */
export interface JobWork<P, L> {
  /**
   * Reads what a run needs, in the transaction that claims the job: for frequent jobs, where a separate read per job
   * would limit the throughput. It throws only if the database fails; then no job is claimed.
   */
  load?(db: SystemDb, payload: P): Promise<L>
  handle(context: JobContext<P, L>): Promise<void>
  /**
   * Returns the payload of one job that does the work of both; undefined: they run apart. Jobs of one lane that are
   * claimed together then share one run and one `finish`. A job that has failed before runs alone.
   */
  join?(one: P, other: P): P | undefined
  /** The job is dead after this many failed runs. Default: 5. */
  maxAttempts?: number
  /**
   * For work that takes long or much memory: how many of these jobs may run at the same time in one process. Of each
   * institute one runs at a time, in all processes together, and those of others do not wait behind it: they are enqueued
   * without a lane, and get one of their institute. Default: 16, in one lane for all institutes.
   */
  atOnce?: number
  /**
   * The number of places in each process that are kept for these jobs: no other jobs run in them, and these run in no
   * others. For work that people wait for and no traffic may delay, such as mail with a link to sign in. These jobs are
   * enqueued without a lane.
   */
  ownPlaces?: number
  /**
   * For jobs with lanes of their own: how many may run at the same time in a lane; undefined: 16. The queue asks every kind about every
   * lane, and the lowest answer counts.
   */
  atOnceInLane?(lane: string): number | undefined
  /**
   * A power cut may undo what `finish` commits; the job then runs again. For frequent jobs that are cheap to repeat,
   * because they need not wait for the disk. Default: false.
   */
  relaxed?: boolean
  /**
   * What `finish` writes takes some milliseconds, and may share a transaction with the ends of other such jobs. Whatever
   * becomes of those, it is committed with the end of its own job: at the first trouble each gets a transaction of its own,
   * in which `finish` runs once more. For frequent jobs on Postgres. Default: false.
   */
  endsTogether?: boolean
  /** Seconds to wait before each retry; the last value repeats. Default: 1 s, 10 s, 1 min, 10 min. */
  retrySeconds?: readonly number[]
}

/** A declared job with its handler, without type parameters: the queue handles all kinds alike. */
export interface JobKind extends JobWork<unknown, unknown> {
  readonly name: string
  readonly payload: v.GenericSchema
}

/** Combines a declared job with its handler, for the list of a module. */
export const jobKind = <P extends object, L>({ name, payload }: Job<P>, work: JobWork<NoInfer<P>, L>): JobKind => ({
  ...work,
  name,
  payload,
})

/** Thrown by a job handler when a retry cannot help: the job is dead at once. */
export class GiveUp extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'GiveUp'
  }
}

/** A job that a cron schedule enqueues: once per scheduled time, even when several processes run the schedule. */
export interface CronJob {
  /** A cron expression of five fields, in UTC. */
  cron: string
  job: Job<NoPayload>
  atStart?: boolean
}

interface Emitted<T extends EventType> {
  id: string
  tenant: TenantInfo
  type: T
  data: Readonly<EventData[T]>
  occurredAt: string
  /** The exact bytes that webhooks deliver: {id, type, occurredAt, tenantId, data}. */
  body: string
}

/** An event that was emitted in a transaction that is still open. */
export type EmittedEvent = { [T in EventType]: Emitted<T> }[EventType]

/**
 * Called with the events of a transaction before it commits. It may write rows, emit events and enqueue jobs in the
 * same transaction. In this way one feature reacts to another without the other knowing it: for example, a student who
 * withdraws is removed from all groups.
 */
export type EventSubscriber = (tx: SystemTx, events: readonly EmittedEvent[]) => Promise<void>

/** The names of records, for files of lists that have their ids alone. */
export interface RecordNames {
  /** The fields that hold the ids, such as `studentId`. */
  fields: readonly string[]
  /** Whose reach the records must be in; undefined: whoever works in the institute reads their names. */
  permission?: Permission
  /** @param db the records that the caller reaches */
  read(db: ScopedDb, ids: readonly string[]): Promise<{ id: string; name: string }[]>
}

/**
 * Everything that a feature contributes: one value, and one line in app/modules.ts. The program does not start when two
 * modules define the same name.
 */
export interface Module {
  name: string
  tables?: TableRules
  /**
   * The tables of others that its queries read, by the module that owns them, or `runtime`. Lint refuses what is read and
   * not named here, and what is named and not read; `npm run reads` lists all modules.
   */
  reads?: Readonly<Record<string, readonly (keyof Tables)[]>>
  endpoints?: readonly Endpoint[]
  /** What its endpoints are about, in a sentence, by the first word of their ids: the sections of the API's document. */
  tags?: Readonly<Record<string, string>>
  /** Where its tables name students and guardians, of whom two may turn out to be one. */
  persons?: readonly PersonColumn[]
  /** What files of lists say for the ids of its records. */
  names?: readonly RecordNames[]
  jobs?: readonly JobKind[]
  cronJobs?: readonly CronJob[]
  /** The types of events that the module emits. */
  events?: readonly EventType[]
  eventSubscribers?: readonly EventSubscriber[]
  /** Every kind of credential that it makes, keeps or takes. */
  credentials?: readonly Credential[]
  /** Each authenticates one kind of credential. */
  authenticators?: readonly Authenticator[]
  /** Each authenticates one kind of credential at //mcp; the callers' channel is `mcp`. */
  mcpAuthenticators?: readonly Authenticator[]
  /** Whether pages of this web origin may call endpoints that take a publishable key. */
  knowsOrigin?(origin: string, now: string, db: SystemDb): Promise<boolean>
  /** Run by GET /health/ready. */
  probes?: readonly Probe[]
  /** Run by `institute doctor`, which does not call `start`. */
  checks?: readonly Check[]
  /** Runs before the program takes its first request, which must not see what this mends. */
  beforeRequests?(context: Pick<JobContext, 'db' | 'everywhere' | 'change'>): Promise<void>
  /** Starts background work. The program does not start when it throws. */
  start?(): Promise<void>
  /** Called after the last request and job, while the database is still open; also when `start` was never called. */
  close?(): Promise<void>
}
