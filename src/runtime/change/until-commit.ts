import type { SystemDb } from '#kernel/contract/tables.ts'
import type { Database } from '#db/database.ts'

const MAX_CACHED = 1000

/** Reads what belongs to an object, in committed rows or in those of an open transaction. */
type ReadFor<K, T> = (db: SystemDb, key: K) => Promise<T>

/**
 * Makes a function that caches what it reads in committed rows until the next commit of any transaction.
 * @param read the key is the object itself, not what it holds
 */
export const cachedUntilCommit = <K extends object, T>(
  { db, version }: { db: SystemDb; version: Database['version'] },
  read: ReadFor<K, T>,
): ReadFor<K, T> => {
  let cached = new Map<K, Promise<T>>()
  let cachedAt: number | undefined
  return (from, key) => {
    const now = from === db ? version() : undefined
    if (now === undefined) return read(from, key)
    // If a commit comes while something is being read, the result goes into the old map, which is discarded here.
    if (now !== cachedAt || cached.size >= MAX_CACHED) cached = new Map()
    cachedAt = now
    const into = cached
    const known = into.get(key)
    if (known) return known
    const found = read(db, key)
    into.set(key, found)
    found.catch(() => into.delete(key))
    return found
  }
}
