import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { takeEffect } from './status.ts'

export const sweepDaysJob = declareJob('people.sweep-days', noPayload)

/** Students per transaction; a larger one would make other writers wait too long. */
const BATCH = 25
/** No time zone is further ahead of UTC. */
const AHEAD_MILLIS = 86_400_000

/** Lets pauses begin and end, and students leave, of which the day has come in the time zone of their institute. */
export const sweepDays = async ({ db, everywhere, now, change }: JobContext): Promise<void> => {
  const latest = new Date(Date.parse(now) + AHEAD_MILLIS).toISOString().slice(0, 10)
  let after = ''
  for (;;) {
    const rows = await everywhere
      .selectFrom('student')
      .select(['id', 'tenant_id'])
      .where((eb) =>
        eb.or([
          eb.and([eb('status', '=', 'active'), eb('paused_from', '<=', latest)]),
          eb.and([eb('status', '=', 'paused'), eb('paused_to', '<', latest)]),
          eb.and([eb('leaving_as', 'is not', null), eb('left_on', '<=', latest)]),
        ]),
      )
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
        for (const { id } of ofTenant) await takeEffect(tx, id)
      }
    })
  }
}
