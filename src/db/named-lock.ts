import { sql } from 'kysely'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { engineOf } from './dialect.ts'
import { scopeOf } from './scope/scope.ts'

/**
 * Makes changes of one institute that lock the same name wait for each other until they end: for what is looked for
 * before it is made, while there is no row yet that could be locked. On SQLite there is only one writer at a time. Several
 * names are locked in one order by all.
 */
export const lockNames = async (handle: ScopedDb, names: readonly string[]): Promise<void> => {
  if (engineOf(handle) === 'sqlite' || names.length === 0) return
  const { db, scope } = scopeOf(handle)
  const sorted = names.map((name) => `${scope.tenantId} ${name}`).toSorted()
  const all = sql`jsonb_array_elements_text(${sorted}::jsonb) as locked(name)`
  await sql`select pg_advisory_xact_lock(hashtextextended(locked.name, 0)) from ${all}`.execute(db)
}
