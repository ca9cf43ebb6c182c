import type { Migration } from '#db/schema-kit.ts'

/** Indexes for the list of students by their identity number, and for the log of messages by whom they went to. */
export const peopleLists: Migration = {
  async up(db, kit) {
    await kit.index(db, 'student', ['tenant_id', 'national_id', 'created_at', 'id'])
    await kit.index(db, 'notification', ['tenant_id', 'recipient_id', 'created_at', 'id'])
  },
}
