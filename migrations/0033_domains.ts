import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** The domains of institutes in a cloud. */
export const domains: Migration = {
  async up(db, kit) {
    const { text, instant, flag } = kit
    await kit
      .tenantTable(db, 'tenant_domain')
      .addColumn('domain', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('verification_token', text, (c) => c.notNull())
      .addColumn('verified_at', instant)
      .addColumn('is_primary', flag, (c) => c.notNull())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('updated_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('tenant_domain', 'kind', ['subdomain', 'custom']))
      .addCheckConstraint('tenant_domain_primary_is_verified', sql`verified_at is not null or not is_primary`)
      .execute()
    // A claim blocks nobody: only of the verified ones is there one per name.
    await kit.unique(db, 'tenant_domain', ['domain'], sql`verified_at is not null`)
    await kit.unique(db, 'tenant_domain', ['tenant_id', 'domain'])
    await kit.unique(db, 'tenant_domain', ['tenant_id'], sql`is_primary`)
    // The platform names a domain by its id alone.
    await kit.unique(db, 'tenant_domain', ['id'])
    await kit.index(db, 'tenant_domain', ['tenant_id', 'created_at', 'id'])
  },
}
