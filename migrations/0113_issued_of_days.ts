import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Lists open what stands behind the report about income: what was issued in some days, and what was paid in one way. */
export const issuedOfDays: Migration = {
  async up(db, kit) {
    await kit.index(db, 'invoice', ['tenant_id', 'issue_date'], sql`issued_at is not null`)
    await kit.index(db, 'receipt', ['tenant_id', 'method', 'created_at', 'id'])
  },
}
