import type { Migration } from '#db/schema-kit.ts'

/** Private addresses at which a member's calendar program finds their sessions. */
export const calendarAddresses: Migration = {
  async up(db, kit) {
    const { id, instant } = kit
    await kit
      .tenantTable(db, 'calendar_address')
      .addColumn('membership_id', id, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('membership_id', 'membership', 'cascade'))
      .execute()
    await kit.unique(db, 'calendar_address', ['id'])
    await kit.unique(db, 'calendar_address', ['tenant_id', 'membership_id'])
  },
}
