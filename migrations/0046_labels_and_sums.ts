import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** What is larger counts against what an institute's sums can hold: see src/modules/billing/sums.ts. */
const LARGE_MINOR = 1_000_000_000

/** Files can carry a label of the caller's own in place of a record, and large amounts can be added up at once. */
export const labelsAndSums: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('file').addColumn('label', kit.text).execute()
    // It names a record of the caller's, not one of ours: there is nothing that it refers to.
    await db.schema.alterTable('file').addColumn('label_id', kit.id).execute()
    const large = sql.lit(LARGE_MINOR)
    await kit.index(db, 'invoice', ['tenant_id', 'total_minor'], sql`total_minor > ${large}`)
    await kit.index(db, 'payment', ['tenant_id', 'amount_minor'], sql`amount_minor < -${large}`)
  },
}
