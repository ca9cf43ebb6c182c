import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Discounts that stand until they end, and as which child of its payer a line charges a student. */
export const discounts: Migration = {
  async up(db, kit) {
    const { id, text, integer, date, instant } = kit
    await kit
      .tenantTable(db, 'discount')
      .addColumn('student_id', id)
      .addColumn('guardian_id', id)
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('value', integer, (c) => c.notNull())
      .addColumn('currency', text)
      .addColumn('label', text, (c) => c.notNull())
      .addColumn('course_id', id)
      .addColumn('group_id', id)
      .addColumn('valid_from', date, (c) => c.notNull())
      .addColumn('valid_to', date)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('discount', 'kind', ['percent', 'amount']))
      .addCheckConstraint('discount_holder_check', sql`(student_id is null) <> (guardian_id is null)`)
      .addCheckConstraint('discount_value_check', sql`value > 0 and (kind = 'amount' or value <= 10000)`)
      .addCheckConstraint('discount_currency_check', sql`(kind = 'amount') = (currency is not null)`)
      .addCheckConstraint('discount_scope_check', sql`course_id is null or group_id is null`)
      .addCheckConstraint('discount_dates_check', sql`valid_to is null or valid_to >= valid_from`)
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('guardian_id', 'guardian', 'cascade'))
      .$call(kit.belongsTo('course_id', 'course'))
      .$call(kit.belongsTo('group_id', 'group'))
      .execute()
    await kit.index(db, 'discount', ['tenant_id', 'valid_from', 'id'])
    for (const column of ['student_id', 'guardian_id', 'course_id', 'group_id']) {
      await kit.index(db, 'discount', ['tenant_id', column, 'valid_from', 'id'], sql`${sql.ref(column)} is not null`)
    }
    await db.schema.alterTable('invoice_line').addColumn('sibling_place', integer).execute()
  },
}
