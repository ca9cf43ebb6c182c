import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Debts by age are added up from the index alone, in its order: it holds all that the report asks of an open invoice. */
export const debts: Migration = {
  async up(db, kit) {
    await kit.index(
      db,
      'invoice',
      [
        'tenant_id',
        'student_id',
        'payer_guardian_id',
        'currency',
        'due_date',
        'total_minor',
        'paid_minor',
        'branch_id',
        'status',
      ],
      sql`status in ('issued', 'partially_paid', 'overdue')`,
    )
  },
}
