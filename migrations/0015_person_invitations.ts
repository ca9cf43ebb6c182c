import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/**
 * Links an invitation to the record of a person (student or guardian). When it is accepted, the account is
 * linked to this record.
 */
export const personInvitations: Migration = {
  async up(db, kit) {
    const { id } = kit
    await db.schema
      .createTable('person_invitation')
      .addColumn('tenant_id', id, (c) => c.notNull().references('tenant.id'))
      .addColumn('membership_id', id, (c) => c.notNull())
      .addColumn('student_id', id)
      .addColumn('guardian_id', id)
      .addPrimaryKeyConstraint('person_invitation_pkey', ['tenant_id', 'membership_id'])
      .$call(kit.belongsTo('membership_id', 'membership', 'cascade'))
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('guardian_id', 'guardian', 'cascade'))
      .addCheckConstraint('person_invitation_of_one', sql`(student_id is null) <> (guardian_id is null)`)
      .execute()
    await kit.index(db, 'person_invitation', ['tenant_id', 'student_id'], sql`student_id is not null`)
    await kit.index(db, 'person_invitation', ['tenant_id', 'guardian_id'], sql`guardian_id is not null`)
  },
}
