import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Students, guardians, the links between them, and staff. */
export const people: Migration = {
  rowsOfAValue: {
    is_primary: 100_000,
    is_payer: 100_000,
    unlinked_branch_id: 20_000,
    tag: 5000,
    student_id: 10,
    guardian_id: 3,
  },
  async up(db, kit) {
    const { id, text, instant, date, flag, json, integer } = kit
    const yes = sql.raw(kit.engine === 'postgres' ? 'true' : '1')

    await kit
      .tenantTable(db, 'student')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('student_number', text, (c) => c.notNull().check(sql`student_number like 'S-______'`))
      .addColumn('first_name', text, (c) => c.notNull())
      .addColumn('last_name', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('email', text)
      .addColumn('phone', text)
      .addColumn('national_id', text)
      .addColumn('birth_date', date)
      .addColumn('gender', text)
      .addColumn('address', json)
      .addColumn('tags', json, (c) => c.notNull())
      .addColumn('notes', text)
      .addColumn('user_id', id, (c) => c.references('user.id'))
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .$call(kit.oneOf('student', 'status', ['lead', 'active', 'paused', 'graduated', 'withdrawn']))
      .$call(kit.oneOf('student', 'gender', ['male', 'female', 'other']))
      .execute()
    await kit.unique(db, 'student', ['tenant_id', 'student_number'])
    await kit.unique(db, 'student', ['tenant_id', 'user_id'], sql`user_id is not null`)
    await kit.index(db, 'student', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'student', ['tenant_id', 'status', 'created_at', 'id'])
    await kit.index(db, 'student', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.searchable(db, 'student')

    // Indexes student.tags. It also contains the student's created_at, which never changes, so that students with a tag
    // are read in the order of the list.
    await db.schema
      .createTable('student_tag')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('tag', text, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('student_tag_pkey', ['tenant_id', 'student_id', 'tag'])
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .execute()
    await kit.index(db, 'student_tag', ['tenant_id', 'tag', 'created_at', 'student_id'])

    await kit
      .tenantTable(db, 'guardian')
      .addColumn('first_name', text, (c) => c.notNull())
      .addColumn('last_name', text, (c) => c.notNull())
      .addColumn('phone', text, (c) => c.notNull())
      .addColumn('email', text)
      .addColumn('national_id', text)
      .addColumn('preferred_locale', text, (c) => c.notNull())
      .addColumn('address', json)
      .addColumn('user_id', id, (c) => c.references('user.id'))
      .addColumn('unlinked_branch_id', id)
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull())
      .$call(kit.belongsTo('unlinked_branch_id', 'branch'))
      .$call(kit.oneOf('guardian', 'preferred_locale', ['ar', 'en', 'he']))
      .execute()
    await kit.unique(db, 'guardian', ['tenant_id', 'phone'])
    await kit.unique(db, 'guardian', ['tenant_id', 'user_id'], sql`user_id is not null`)
    await kit.index(db, 'guardian', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'guardian', ['tenant_id', 'unlinked_branch_id'], sql`unlinked_branch_id is not null`)
    await kit.searchable(db, 'guardian')

    await kit
      .tenantTable(db, 'guardian_link')
      .addColumn('student_id', id, (c) => c.notNull())
      .addColumn('guardian_id', id, (c) => c.notNull())
      .addColumn('relationship', text, (c) => c.notNull())
      .addColumn('is_primary', flag, (c) => c.notNull())
      .addColumn('is_payer', flag, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('guardian_id', 'guardian'))
      .$call(
        kit.oneOf('guardian_link', 'relationship', [
          'mother',
          'father',
          'grandparent',
          'sibling',
          'spouse',
          'guardian',
          'other',
        ]),
      )
      .execute()
    await kit.unique(db, 'guardian_link', ['tenant_id', 'student_id', 'guardian_id'])
    await kit.unique(db, 'guardian_link', ['tenant_id', 'student_id', 'is_primary'], sql`is_primary = ${yes}`)
    await kit.unique(db, 'guardian_link', ['tenant_id', 'student_id', 'is_payer'], sql`is_payer = ${yes}`)
    await kit.index(db, 'guardian_link', ['tenant_id', 'guardian_id', 'student_id'])

    await kit
      .tenantTable(db, 'staff')
      .addColumn('branch_id', id, (c) => c.notNull())
      .addColumn('user_id', id, (c) => c.references('user.id'))
      .addColumn('first_name', text, (c) => c.notNull())
      .addColumn('last_name', text, (c) => c.notNull())
      .addColumn('email', text)
      .addColumn('phone', text)
      .addColumn('title', text)
      .addColumn('is_active', flag, (c) => c.notNull())
      .addColumn('version', integer, (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .addColumn('search_text', text, (c) => c.notNull())
      .$call(kit.belongsTo('branch_id', 'branch'))
      .execute()
    await kit.unique(db, 'staff', ['tenant_id', 'user_id'], sql`user_id is not null`)
    await kit.index(db, 'staff', ['tenant_id', 'created_at', 'id'])
    await kit.index(db, 'staff', ['tenant_id', 'branch_id', 'created_at', 'id'])
    await kit.index(db, 'staff', ['tenant_id', 'is_active', 'created_at', 'id'])
    await kit.searchable(db, 'staff')
  },
}
