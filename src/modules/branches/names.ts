import type { ScopedDb } from '#kernel/contract/tables.ts'

/** What branches are called. */
export const branchNames = async (db: ScopedDb, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  ids.length === 0 ? [] : db.selectFrom('branch').select(['id', 'name']).where('id', 'in', ids).execute()
