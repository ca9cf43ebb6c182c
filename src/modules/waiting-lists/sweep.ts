import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { lapse } from './service.ts'

export const sweepOffersJob = declareJob('waiting-lists.sweep-offers', noPayload)

const BATCH = 25

/** Ends the offers whose last day is over. */
export const sweepOffers = async ({ db, everywhere, now, change }: JobContext): Promise<void> => {
  for (;;) {
    const rows = await everywhere
      .selectFrom('waiting_entry')
      .innerJoin('tenant', 'tenant.id', 'waiting_entry.tenant_id')
      .select(['waiting_entry.id', 'waiting_entry.tenant_id'])
      .where('waiting_entry.offer_ends_at', '<=', now)
      .where('tenant.status', '!=', 'archived')
      .orderBy('waiting_entry.offer_ends_at')
      .orderBy('waiting_entry.id')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return
    const tenants = await findTenants(db, [...new Set(rows.map(({ tenant_id: id }) => id))])
    await change(async (system) => {
      for (const { id, tenant_id: tenantId } of rows) {
        const tenant = tenants.get(tenantId)
        if (tenant) await lapse(system.inTenant(tenant), id)
      }
    })
  }
}
