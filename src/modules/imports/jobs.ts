import type { Logger } from 'pino'
import { plusSeconds } from '#kernel/time/clock.ts'
import { UNENDED_STATES } from '#kernel/contract/job.ts'
import { jobKind, type JobKind } from '#kernel/contract/module.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { runJob, sweepJob } from './declared-jobs.ts'
import { runImport, type RunDeps } from './run.ts'
import { jobKeyOf } from './service.ts'
import { endRun, forgetRefused } from './state.ts'

/** How many imports a process runs at once, each of another institute. Others wait. */
const AT_ONCE = 4
/** A process that ends while it imports uses up one of them. */
const ATTEMPTS = 20
/** Rows that were refused hold what people wrote of others: they are kept for long enough to mend them. */
const KEPT_SECONDS = 30 * 24 * 3600

const end = async (tx: SystemTx, { tenant_id: tenantId, id }: { tenant_id: string; id: string }): Promise<void> => {
  const tenant = await findTenant(tx.db, tenantId)
  if (!tenant) return
  await endRun(tx.inTenant(tenant), id, 'failed', [{ column: null, field: null, value: null, reason: 'server_error' }])
}

/** Ends imports that have no job any more, because it failed as often as it may. Nothing else would end them. */
const endAbandoned = async (tx: SystemTx): Promise<void> => {
  const underWay = await tx.everywhere
    .selectFrom('import')
    .select(['tenant_id', 'id'])
    .where('finished_at', 'is', null)
    .execute()
  for (const row of underWay) {
    const job = await tx.everywhere
      .selectFrom('job')
      .select('id')
      .where('unique_key', '=', jobKeyOf(row.id))
      .where('state', 'in', UNENDED_STATES)
      .executeTakeFirst()
    if (!job) await end(tx, row)
  }
}

/** Removes what imports keep of the rows that they refused. @returns how many imports */
const forgetRows = async (tx: SystemTx, limit: number): Promise<number> => {
  const old = await tx.everywhere
    .selectFrom('import')
    .innerJoin('import_refusal', (join) =>
      join
        .onRef('import_refusal.tenant_id', '=', 'import.tenant_id')
        .onRef('import_refusal.import_id', '=', 'import.id'),
    )
    .select(['import.tenant_id', 'import.id'])
    .distinct()
    .where('import.finished_at', '<=', plusSeconds(tx.now, -KEPT_SECONDS))
    .limit(limit)
    .execute()
  for (const { tenant_id: tenantId, id } of old) {
    const tenant = await findTenant(tx.db, tenantId)
    if (!tenant) continue
    await forgetRefused(tx.inTenant(tenant), id)
  }
  return old.length
}

export const importJobs = ({ log, ...deps }: RunDeps & { log: Logger }): readonly JobKind[] => [
  jobKind(runJob, {
    atOnce: AT_ONCE,
    maxAttempts: ATTEMPTS,
    retrySeconds: [1, 5, 15],
    handle: async (context) => {
      try {
        await runImport(context, deps)
      } catch (error) {
        if (context.signal.aborted || context.attempt < ATTEMPTS) throw error
        log.error({ err: error, importId: context.payload.importId }, 'an import failed')
        const { tenantId, importId } = context.payload
        await context.finish((tx) => end(tx, { tenant_id: tenantId, id: importId }))
      }
    },
  }),
  jobKind(sweepJob, {
    handle: async ({ change }) => {
      await change(endAbandoned)
      await sweepInBatches((limit) => change((tx) => forgetRows(tx, limit)))
    },
  }),
]
