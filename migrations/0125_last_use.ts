import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** The list of the institutes tells when each was last used. */
export const lastUse: Migration = {
  async up(db, kit) {
    await kit.index(db, 'auth_session', ['tenant_id', 'last_used_at'], sql`impersonator_id is null`)
  },
}
