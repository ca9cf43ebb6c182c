import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** The end of an institute's trial lies on its own row, because the institute cannot read its subscription. */
export const trialEnds: Migration = {
  async up(db, { instant }) {
    await db.schema.alterTable('tenant').addColumn('trial_ends_at', instant).execute()
    await sql`
      update tenant set trial_ends_at = (
        select current_period_end from subscription
        where subscription.tenant_id = tenant.id and replaced_at is null and status = 'trialing'
      )`.execute(db)
  },
}
