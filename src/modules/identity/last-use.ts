import type { OutsideDb } from '#kernel/contract/tables.ts'

/** When sessions of these institutes were last used, by their ids. Those of the platform in somebody's name do not count. */
export const lastUseOf = async (db: OutsideDb, tenantIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (tenantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('auth_session')
    .select(['tenant_id', (eb) => eb.fn.max('last_used_at').as('at')])
    .where('tenant_id', 'in', tenantIds)
    .where('impersonator_id', 'is', null)
    .groupBy('tenant_id')
    .execute()
  return new Map(rows.map(({ tenant_id, at }) => [tenant_id as string, at]))
}
