import type { Migration } from '#db/schema-kit.ts'

/** Sessions in which somebody looks at the console as a role sees it. */
export const rolePreviews: Migration = {
  async up(db, kit) {
    await db.schema.alterTable('auth_session').addColumn('preview', kit.json).execute()
  },
}
