import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { InstallDeps } from './deps.ts'
import { heartbeatJob } from './heartbeat.ts'
import { reconcile } from './reconcile.ts'
import { isDue } from './schedule.ts'
import { latest } from './state.ts'
import { findLicense, updateConversation } from './store.ts'

export const watchJob = declareJob('license.watch', noPayload)

/**
 * Compares both copies for every institute that one of them knows.
 * @returns these institutes
 */
export const reconcileAll = async (
  deps: InstallDeps,
  { db, everywhere, change }: Pick<JobContext, 'db' | 'everywhere' | 'change'>,
): Promise<TenantInfo[]> => {
  const rows = await everywhere.selectFrom('installed_license').select('tenant_id').execute()
  const ids = new Set([...rows.map(({ tenant_id }) => tenant_id), ...Object.keys(deps.stateFile.readAll())])
  const tenants: TenantInfo[] = []
  for (const id of ids) {
    const tenant = await findTenant(db, id)
    if (!tenant) continue
    await reconcile(deps, { change }, tenant)
    tenants.push(tenant)
  }
  return tenants
}

/**
 * Looks after the licence: at the start and every hour. It compares the two copies of its state, notes the time, and
 * sends a heartbeat at the start, and when one is due although no job for it is left, as after the clock was set back.
 */
export const watch = (deps: InstallDeps) => {
  let isStart = true
  return async (context: JobContext): Promise<void> => {
    const soon = isStart
    for (const tenant of await reconcileAll(deps, context)) {
      await context.change(async (system) => {
        const tx = system.inTenant(tenant)
        const row = await findLicense(tx.whole)
        if (!row) return
        await updateConversation(tx, { max_observed_at: latest(row.max_observed_at, tx.now) })
        if (soon || isDue(row.next_heartbeat_at, tx.now, deps)) tx.enqueue(heartbeatJob, { tenantId: tenant.id, soon })
      })
    }
    isStart = false
  }
}
