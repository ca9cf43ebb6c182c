import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Imports of tables, the rows that they refused, and the opening balances that they made. */
export const imports: Migration = {
  rowsOfAValue: { import_id: 40 },
  async up(db, kit) {
    const { id, text, instant, integer, flag, json } = kit
    await kit
      .tenantTable(db, 'import')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('mode', text, (c) => c.notNull())
      .addColumn('is_dry_run', flag, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('source_name', text, (c) => c.notNull())
      .addColumn('object_name', id, (c) => c.notNull())
      .addColumn('mime_type', text, (c) => c.notNull())
      .addColumn('given_mapping', json)
      .addColumn('columns', json, (c) => c.notNull())
      .addColumn('mapping', json, (c) => c.notNull())
      .addColumn('row_count', integer, (c) => c.notNull())
      .addColumn('pass', text, (c) => c.notNull())
      .addColumn('position', integer, (c) => c.notNull())
      .addColumn('checked', integer, (c) => c.notNull())
      .addColumn('created', integer, (c) => c.notNull())
      .addColumn('updated', integer, (c) => c.notNull())
      .addColumn('unchanged', integer, (c) => c.notNull())
      .addColumn('refused', integer, (c) => c.notNull())
      .addColumn('errors', json, (c) => c.notNull())
      .addColumn('asker', json, (c) => c.notNull())
      .addColumn('requested_by_user_id', id, (c) => c.references('user.id'))
      .addColumn('finished_at', instant)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('import', 'kind', ['students', 'staff', 'enrollments', 'balances']))
      .$call(kit.oneOf('import', 'mode', ['all', 'by_row']))
      .$call(kit.oneOf('import', 'status', ['queued', 'running', 'done', 'failed']))
      .$call(kit.oneOf('import', 'pass', ['check', 'write']))
      .addCheckConstraint('import_finished', sql`(status in ('done', 'failed')) = (finished_at is not null)`)
      .execute()
    await kit.index(db, 'import', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'import', ['tenant_id', 'kind', 'created_at', 'id'])
    await kit.index(db, 'import', ['tenant_id', 'requested_by_user_id', 'created_at', 'id'])
    await kit.index(db, 'import', ['finished_at'])

    await db.schema
      .createTable('import_refusal')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('import_id', id, (c) => c.notNull())
      .addColumn('line', integer, (c) => c.notNull())
      .addColumn('cells', json, (c) => c.notNull())
      .addColumn('reasons', json, (c) => c.notNull())
      .addPrimaryKeyConstraint('import_refusal_pkey', ['tenant_id', 'import_id', 'line'])
      .$call(kit.belongsTo('import_id', 'import', 'cascade'))
      .execute()

    await db.schema
      .createTable('imported_balance')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('currency', text, (c) => c.notNull())
      .addColumn('invoice_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('imported_balance_pkey', ['tenant_id', 'student_id', 'currency'])
      .$call(kit.belongsTo('student_id', 'student'))
      .$call(kit.belongsTo('invoice_id', 'invoice'))
      .execute()
    await kit.index(db, 'imported_balance', ['tenant_id', 'invoice_id'])

    // By what the rows of a file are recognised.
    await kit.index(db, 'student', ['tenant_id', 'phone'], sql`phone is not null`)
    await kit.index(db, 'student', ['tenant_id', 'birth_date'], sql`birth_date is not null`)
    await kit.index(db, 'staff', ['tenant_id', 'phone'], sql`phone is not null`)
    await kit.index(db, 'staff', ['tenant_id', 'email'], sql`email is not null`)
  },
}
