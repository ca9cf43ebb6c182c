import { declareJob, noPayload } from '#kernel/job.ts'
import type { JobContext } from '#kernel/module.ts'
import type { InstallDeps } from './deps.ts'
import { heartbeatJob } from './heartbeat.ts'
import { reconcileAll } from './reconcile.ts'
import { isDue } from './schedule.ts'
import { latest } from './state.ts'
import { findLicense, updateConversation } from './store.ts'

export const watchJob = declareJob('license.watch', noPayload)

/**
 * Looks after the licence: at the start and every hour. It compares the two copies of its state, notes the time, and
 * sends a heartbeat at the start, and where one is due that no job sends any more, as after the clock was set back.
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
