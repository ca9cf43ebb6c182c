import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** An invitation may be for a record of the staff: who teaches by name already sees their groups from the acceptance on. */
export const staffRecordInvitations: Migration = {
  rebuilds: true,
  // The version before takes every invitation for one of a student or a guardian.
  alone: true,
  async up(db, kit) {
    await db.schema.alterTable('person_invitation').addColumn('staff_id', kit.id).execute()
    const one = (column: string) => sql`case when ${sql.ref(column)} is null then 0 else 1 end`
    await kit.rebuild(db, 'person_invitation', {
      rules: [
        kit.belongsTo('staff_id', 'staff', 'cascade'),
        (table) =>
          table.addCheckConstraint(
            'person_invitation_of_one',
            sql`${one('student_id')} + ${one('guardian_id')} + ${one('staff_id')} = 1`,
          ),
      ],
    })
    await kit.index(db, 'person_invitation', ['tenant_id', 'staff_id'], sql`staff_id is not null`)
  },
}
