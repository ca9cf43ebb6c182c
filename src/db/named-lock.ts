import { sql } from 'kysely'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { engineOf } from './dialect.ts'
import { scopeOf } from './scope/scope.ts'

/**
 * Makes changes of one institute that lock the same name wait for each other until they end: for what is looked for
 * before it is made, while there is no row yet that could be locked. On SQLite there is only one writer at a time.
 */
export const lockName = async (handle: ScopedDb, name: string): Promise<void> => {
  if (engineOf(handle) === 'sqlite') return
  const { db, scope } = scopeOf(handle)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${scope.tenantId} ${name}`}, 0))`.execute(db)
}
