import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { endIfDue } from './enrollments.ts'

export const sweepEndsJob = declareJob('groups.sweep-ends', noPayload)

/** Enrollments per transaction; a larger one would make other writers wait too long. */
const BATCH = 25
/** No time zone is further ahead of UTC; and the end of a day is a day after its beginning. */
const AHEAD_MILLIS = 2 * 86_400_000

/** Ends the enrollments of which the last day has come, in the time zone of their institute. */
export const sweepEnds = async ({ db, everywhere, now, change }: JobContext): Promise<void> => {
  const latest = new Date(Date.parse(now) + AHEAD_MILLIS).toISOString()
  let after = ''
  for (;;) {
    const rows = await everywhere
      .selectFrom('enrollment')
      .select(['id', 'tenant_id'])
      .where('status', '=', 'active')
      .where('ended_at', 'is not', null)
      .where('ended_at', '<', latest)
      .$if(after !== '', (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const tenants = await findTenants(db, [...new Set(rows.map(({ tenant_id: id }) => id))])
    await change(async (system) => {
      for (const [tenantId, ofTenant] of Map.groupBy(rows, ({ tenant_id: id }) => id)) {
        const tenant = tenants.get(tenantId)
        if (!tenant || tenant.status === 'archived') continue
        const tx = system.inTenant(tenant)
        for (const { id } of ofTenant) await endIfDue(tx, id)
      }
    })
  }
}
