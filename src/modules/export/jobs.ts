import type { Logger } from 'pino'
import type * as v from 'valibot'
import { plusSeconds } from '#kernel/time/clock.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import { UNENDED_STATES } from '#kernel/contract/job.ts'
import { jobKind, type JobContext, type JobKind } from '#kernel/contract/module.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { partsOf, type FileStore, type StoredKey } from '#ports/files/port.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { discardJob, makeJob, sweepJob } from './declared-jobs.ts'
import {
  archiveKey,
  endRun,
  findExport,
  jobKeyOf,
  keptSince,
  removeExport,
  startRun,
  storeProgress,
  type End,
} from './service.ts'

/**
 * Writes the archive of an institute into the storage. Nothing is stored under the key when it fails.
 * @throws StorageProblem when the storage cannot take it
 */
export type MakeArchive = (
  archive: { tenantId: string; key: StoredKey; now: string },
  work: { onProgress: (percent: number) => void; signal: AbortSignal },
) => Promise<{ sizeBytes: number; sha256: string }>

export interface ExportDeps {
  files: FileStore
  log: Logger
  makeArchive: MakeArchive
}

/** How many archives a process makes at once: a large institute holds up no other. */
const AT_ONCE = 2
const ATTEMPTS = 4
/** How often the progress is stored. */
const PROGRESS_MILLIS = 1000
/** An archive without an export is removed when it is older than this: a younger one may be just finished. */
const STRAY_SECONDS = 3600

const FAILED =
  'The export could not be made. Ask for a new one with `fresh`; the log of the server says what went wrong.'
const ENDED = 'The server ended several times while it made the export. Ask for a new one with `fresh`.'
const noRoom = ({ message }: StorageProblem): string =>
  `There is no room for the export: ${message}. Make room on the server, then ask for a new one with \`fresh\`.`

const inTenant = async <T>(tx: SystemTx, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T | undefined> => {
  const tenant = await findTenant(tx.db, tenantId)
  return tenant && work(tx.inTenant(tenant))
}

/** Stores the progress, in one transaction after another and at most once per PROGRESS_MILLIS. */
class ProgressWriter {
  readonly #store: (percent: number) => Promise<unknown>
  #storing: Promise<unknown> = Promise.resolve()
  #storedAt = 0

  constructor(store: (percent: number) => Promise<unknown>) {
    this.#store = store
  }

  tell(percent: number): void {
    const now = performance.now()
    if (now - this.#storedAt < PROGRESS_MILLIS) return
    this.#storedAt = now
    // Progress that cannot be stored is not worth failing the export.
    this.#storing = this.#storing.then(() => this.#store(percent)).catch(() => {})
  }

  async end(): Promise<void> {
    await this.#storing
  }
}

type OneExport = v.InferOutput<typeof makeJob.payload>

const makeExport = async (
  { payload: { tenantId, exportId }, attempt, now, change, finish, signal }: JobContext<OneExport>,
  { files, log, makeArchive }: ExportDeps,
): Promise<void> => {
  const key = await change((tx) => inTenant(tx, tenantId, (own) => startRun(own, exportId, files)))
  if (key === undefined) return
  const progress = new ProgressWriter((percent) =>
    change((tx) => inTenant(tx, tenantId, (own) => storeProgress(own, exportId, percent))),
  )
  const end = async (how: End): Promise<void> => {
    await progress.end()
    await finish(async (tx) => {
      await inTenant(tx, tenantId, (own) => endRun(own, exportId, how))
    })
  }
  try {
    const archive = { tenantId, key, now }
    const made = await makeArchive(archive, { onProgress: (percent) => progress.tell(percent), signal })
    await end({ status: 'done', ...made })
  } catch (error) {
    const isFinal = error instanceof StorageProblem || attempt >= ATTEMPTS
    if (signal.aborted || !isFinal) {
      await progress.end()
      throw error
    }
    log.error({ err: error, exportId }, 'an export failed')
    await end({ status: 'failed', error: error instanceof StorageProblem ? noRoom(error) : FAILED })
  }
}

/** Removes exports that are kept no longer. @returns how many */
const removeOld = async (tx: SystemTx, limit: number): Promise<number> => {
  const old = await tx.everywhere
    .selectFrom('export')
    .select(['tenant_id', 'id'])
    .where('finished_at', '<=', keptSince(tx.now))
    .limit(limit)
    .execute()
  for (const { tenant_id: tenantId, id } of old) await inTenant(tx, tenantId, (own) => removeExport(own, id))
  return old.length
}

/** Ends exports that have no job any more, because processes died while running it. Nothing else would end them. */
const endAbandoned = async (tx: SystemTx): Promise<void> => {
  const underWay = await tx.everywhere
    .selectFrom('export')
    .select(['tenant_id', 'id'])
    .where('status', 'in', ['queued', 'running'])
    .execute()
  for (const { tenant_id: tenantId, id } of underWay) {
    const job = await tx.everywhere
      .selectFrom('job')
      .select('id')
      .where('unique_key', '=', jobKeyOf(id))
      .where('state', 'in', UNENDED_STATES)
      .executeTakeFirst()
    if (!job) await inTenant(tx, tenantId, (own) => endRun(own, id, { status: 'failed', error: ENDED }))
  }
}

export const exportJobs = (deps: ExportDeps): readonly JobKind[] => {
  const { files } = deps
  const removeUnlessNamed = async (
    context: Pick<JobContext, 'change'>,
    tenantId: string,
    id: string,
  ): Promise<void> => {
    const row = await context.change((tx) => inTenant(tx, tenantId, (own) => findExport(own.whole)))
    if (row?.id === id) return
    for (const place of new Set(['disk', files.home] as const)) {
      const key = archiveKey({ tenant_id: tenantId, id, place })
      // What a process that was killed has begun.
      if (place !== 'disk') await files.discardUnfinished(key)
      await files.remove(key)
    }
  }
  return [
    jobKind(makeJob, { handle: (context) => makeExport(context, deps), atOnce: AT_ONCE, maxAttempts: ATTEMPTS }),
    jobKind(discardJob, {
      handle: (context) => removeUnlessNamed(context, context.payload.tenantId, context.payload.exportId),
    }),
    jobKind(sweepJob, {
      handle: async (context) => {
        const { change, now } = context
        await change(endAbandoned)
        await sweepInBatches((limit) => change((tx) => removeOld(tx, limit)))
        // Archives that a restored backup, or a process that was killed, has left without an export.
        for await (const { key, writtenAt } of files.list('exports')) {
          const { institute, id } = partsOf(key)
          if (writtenAt < plusSeconds(now, -STRAY_SECONDS)) await removeUnlessNamed(context, institute, id)
        }
      },
    }),
  ]
}
