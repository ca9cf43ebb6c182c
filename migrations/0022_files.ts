import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

const KINDS = ['avatar', 'document', 'report', 'attachment']

/** The kinds of records that a file can be attached to. */
const OWNERS = ['student', 'guardian', 'staff', 'branch', 'course', 'group', 'invoice']
const ownerColumns = OWNERS.map((table) => [`${table}_id`, table] as const)

/** Files, and the uploads that they are made from. */
export const files: Migration = {
  async up(db, kit) {
    const { id, text, instant, integer } = kit

    await kit
      .tenantTable(db, 'file_upload')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('mime_type', text, (c) => c.notNull())
      .addColumn('size_bytes', integer, (c) => c.notNull())
      .addColumn('user_id', id, (c) => c.references('user.id'))
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('received_at', instant)
      .addColumn('tries', integer, (c) => c.notNull().defaultTo(0))
      .addColumn('created_at', instant, (c) => c.notNull())
      .$call(kit.oneOf('file_upload', 'kind', KINDS))
      .execute()
    await kit.index(db, 'file_upload', ['created_at', 'id'])
    await kit.index(db, 'file_upload', ['tenant_id', 'user_id'])

    await ownerColumns
      .reduce(
        (table, [column, owner]) => table.addColumn(column, id).$call(kit.belongsTo(column, owner)),
        kit
          .tenantTable(db, 'file')
          .addColumn('kind', text, (c) => c.notNull())
          .addColumn('original_name', text, (c) => c.notNull())
          .addColumn('mime_type', text, (c) => c.notNull())
          .addColumn('size_bytes', integer, (c) => c.notNull())
          .addColumn('sha256', text, (c) => c.notNull())
          .addColumn('upload_name', id, (c) => c.notNull())
          .addColumn('object_name', id, (c) => c.notNull())
          .addColumn('uploaded_by_user_id', id, (c) => c.references('user.id'))
          .addColumn('user_id', id, (c) => c.references('user.id'))
          .addColumn('home_branch_id', id)
          .addColumn('created_at', instant, (c) => c.notNull())
          .addColumn('updated_at', instant, (c) => c.notNull()),
      )
      .$call(kit.belongsTo('home_branch_id', 'branch'))
      .$call(kit.oneOf('file', 'kind', KINDS))
      .addCheckConstraint(
        'file_attached_to_one',
        sql`${sql.join(
          ['user_id', ...ownerColumns.map(([column]) => column)].map(
            (column) => sql`case when ${sql.id(column)} is null then 0 else 1 end`,
          ),
          sql` + `,
        )} <= 1`,
      )
      .execute()
    await kit.unique(db, 'file', ['tenant_id', 'upload_name'])
    await kit.unique(db, 'file', ['tenant_id', 'object_name'])
    await kit.index(db, 'file', ['tenant_id', 'uploaded_by_user_id'], sql`kind = 'avatar'`)
    for (const column of ['user_id', 'home_branch_id', ...ownerColumns.map(([name]) => name)]) {
      await kit.index(db, 'file', ['tenant_id', column], sql`${sql.id(column)} is not null`)
    }
  },
}
