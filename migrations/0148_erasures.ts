import { sql } from 'kysely'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'

/** What an entry of the audit log says for good, also of a person who is erased: who did what to which record, and when. */
const FOR_GOOD = [
  'id',
  'tenant_id',
  'actor_user_id',
  'actor_type',
  'channel',
  'action',
  'entity_type',
  'entity_id',
  'request_id',
  'ip',
  'created_at',
]

/**
 * Lets the erasure of a person take their values out of an entry of the audit log, which then says so in its metadata. The
 * database goes on refusing every other change of it, and to delete one.
 */
const letErase = async (db: AnyDb, { engine }: SchemaKit): Promise<void> => {
  const differs = (operator: string) => FOR_GOOD.map((column) => `new.${column} ${operator} old.${column}`).join(' or ')
  const statements =
    engine === 'sqlite'
      ? [
          'drop trigger "audit_entry_no_update"',
          `create trigger "audit_entry_no_rewrite" before update on "audit_entry" when ${differs('is not')} or new.metadata is null or json_extract(new.metadata, '$.erased') is not 1 begin select raise(abort, 'audit_entry is append-only'); end`,
        ]
      : [
          'drop trigger "audit_entry_no_change" on "audit_entry"',
          `create trigger "audit_entry_no_delete" before delete or truncate on "audit_entry" for each statement execute function refuse_change()`,
          `create trigger "audit_entry_no_rewrite" before update on "audit_entry" for each row when (${differs('is distinct from')} or (new.metadata ->> 'erased') is distinct from 'true') execute function refuse_change()`,
        ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** When a person was erased: nobody changes what is left of their record. */
export const erasures: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian']) {
      await db.schema.alterTable(table).addColumn('erased_at', kit.instant).execute()
    }
    await letErase(db, kit)
  },
}
