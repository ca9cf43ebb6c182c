import type { Credential } from '#kernel/contract/credential.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'

/** Ends the addresses of a person in all their institutes, each of which notes it. */
const endAllOf = async (tx: SystemTx, userId: string): Promise<void> => {
  const addresses = await tx.everywhere
    .selectFrom('calendar_address')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.id', '=', 'calendar_address.membership_id')
        .onRef('membership.tenant_id', '=', 'calendar_address.tenant_id'),
    )
    .select(['calendar_address.id', 'calendar_address.tenant_id'])
    .where('membership.user_id', '=', userId)
    .execute()
  for (const { id, tenant_id: tenantId } of addresses) {
    const tenant = await findTenant(tx.db, tenantId)
    if (!tenant) continue
    const inTenant = tx.inTenant(tenant)
    await inTenant.whole.deleteFrom('calendar_address').where('id', '=', id).execute()
    inTenant.audit({ entityType: 'calendar_address', entityId: id })
  }
}

export const CALENDAR_ADDRESS: Credential = {
  name: 'calendar-address',
  of: 'member',
  opens: 'The sessions of a member, to whoever has the address, until it ends.',
  lasting: true,
  purposes: ['calendar-address'],
  ends: [
    'logout_all',
    'password_changed',
    'password_reset',
    'user_disabled',
    'membership_disabled',
    'membership_deleted',
    'tenant_locked',
    'tenant_archived',
    'record_unlinked',
  ],
  why: 'A calendar program goes on when its person signs out at a desk. What it shows are the lessons of their own records, which no role gives; and an impersonated session makes and reads none.',
  endAllOf,
}
