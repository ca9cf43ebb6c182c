import type { Migration } from '#db/schema-kit.ts'

/** Indexes for the list of invoices by their due date: of all, of one status, of one branch and of one student. */
export const invoiceLists: Migration = {
  async up(db, kit) {
    await kit.index(db, 'invoice', ['tenant_id', 'due_date', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'status', 'due_date', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'branch_id', 'due_date', 'id'])
    await kit.index(db, 'invoice', ['tenant_id', 'student_id', 'due_date', 'id'])
  },
}
