import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

const EACH_ORIGIN = {
  sqlite: sql`json_each(api_key.allowed_origins) as origin`,
  postgres: sql`jsonb_array_elements_text(api_key.allowed_origins::jsonb) as origin(value)`,
}

/**
 * The web origins of publishable keys, in a table of their own. A CORS preflight request contains no key, so it is
 * answered from this table.
 */
export const apiKeyOrigins: Migration = {
  async up(db, kit) {
    const { id, text } = kit
    await db.schema
      .createTable('api_key_origin')
      .addColumn('tenant_id', id, (c) => c.notNull())
      .addColumn('api_key_id', id, (c) => c.notNull())
      .addColumn('origin', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('api_key_origin_pkey', ['tenant_id', 'api_key_id', 'origin'])
      .$call(kit.belongsTo('api_key_id', 'api_key', 'cascade'))
      .execute()
    await kit.index(db, 'api_key_origin', ['origin'])
    await sql`
      insert into api_key_origin (tenant_id, api_key_id, origin)
      select distinct api_key.tenant_id, api_key.id, origin.value
      from api_key, ${EACH_ORIGIN[kit.engine]}
      where api_key.kind = 'publishable'
    `.execute(db)
  },
}
