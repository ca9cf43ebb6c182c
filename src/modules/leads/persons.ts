import type { PersonColumn } from '#kernel/contract/person-columns.ts'

/** A student has one enquiry: that of the other record stays without a student, and is closed with it. */
export const personsOfLeads: readonly PersonColumn[] = [
  {
    of: 'student',
    table: 'lead',
    column: 'student_id',
    settle: async ({ whole, now }, { id, otherId, otherBranchId }) => {
      const own = await whole.selectFrom('lead').select('id').where('student_id', '=', id).executeTakeFirst()
      if (!own) return
      await whole
        .updateTable('lead')
        .set({ student_id: null, unlinked_branch_id: otherBranchId, status: 'converted', updated_at: now })
        .where('student_id', '=', otherId)
        .execute()
    },
  },
  { of: 'guardian', table: 'lead', column: 'guardian_id' },
]
