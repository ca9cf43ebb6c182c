import type { SelectQueryBuilder } from 'kysely'
import { compiledByKeyInTenant } from '#db/queries/compiled.ts'
import {
  MATCH_COLUMNS,
  mayShareQuery,
  newestMatches,
  type NewestMatch,
  type NewestWords,
} from '#db/queries/newest-search.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/**
 * Reads the newest matches of several types. On Postgres one query reads those of all types: each query is a way to the
 * server and back, which takes longer than most searches.
 */

/** A type whose records are found by the words of their search_text. */
export interface Searched {
  table: 'student' | 'guardian' | 'staff' | 'group' | 'course'
  /** Selects the columns of a match. */
  from(db: ScopedDb): SelectQueryBuilder<object, never, NewestMatch>
}

/** One read of the newest matches of a type. */
export interface Wanted {
  db: ScopedDb
  of: Searched
  words: NewestWords
  /** At most this many matches. */
  limit: number
  /** What a compiled query is told on SQLite. */
  expected?: 'short' | 'long' | undefined
}

export type ReadMatches = (wanted: Wanted) => Promise<NewestMatch[]>

/** How many combinations of types, kinds of search, numbers of words and kinds of reach are compiled. */
const MAX_COMPILED_QUERIES = 500

/** The parts of the searches by their index. */
interface Slots {
  [part: number]: string
}

interface MatchOfTable extends NewestMatch {
  table: string
}

/** The matches of one read. */
const matchesOf = (handle: ScopedDb, { of, words, limit }: Wanted, parts: readonly string[]) =>
  newestMatches(handle, { table: of.table, search: { ...words, parts }, page: of.from(handle) }).limit(limit)

const keyOf = (wanted: readonly Wanted[]): string =>
  wanted.map(({ of, words, limit }) => `${of.table} ${words.form}*${words.parts.length} ${limit}`).join()

const alone = compiledByKeyInTenant<NewestMatch>(MAX_COMPILED_QUERIES)

const readAlone = (wanted: Wanted): Promise<NewestMatch[]> => {
  const { db, of, words, expected } = wanted
  const query = {
    key: keyOf([wanted]),
    countedBy: `${of.table}.id`,
    ...(expected && { expected }),
    build: (handle: ScopedDb, slots: Slots) =>
      matchesOf(
        handle,
        wanted,
        words.parts.map((_, index) => slots[index] as string),
      ),
  }
  return alone(db, query, Object.fromEntries(words.parts.entries()))
}

const together = compiledByKeyInTenant<MatchOfTable>(MAX_COMPILED_QUERIES)

/** The matches of one of several reads, with the name of the table. */
const namedMatches = (handle: ScopedDb, wanted: Wanted, parts: readonly string[]) =>
  handle
    .selectFrom(matchesOf(handle, wanted, parts).as('match'))
    .select(MATCH_COLUMNS)
    .select((eb) => eb.val<string>(wanted.of.table).as('table'))

/** @param wanted reads with the same reach, each of another table */
const readTogether = async (wanted: readonly Wanted[]): Promise<MatchOfTable[]> => {
  const [one] = wanted
  if (!one) return []
  const build = (handle: ScopedDb, slots: Slots) => {
    let used = 0
    const reads = wanted.map((read) => {
      const parts = read.words.parts.map((_, index) => slots[used + index] as string)
      used += parts.length
      return namedMatches(handle, read, parts)
    })
    return handle
      .selectFrom(reads.reduce((all, more) => all.unionAll(more)).as('match'))
      .select([...MATCH_COLUMNS, 'table'])
      .orderBy('newest_at', 'desc')
      .orderBy('id', 'desc')
  }
  const parts = wanted.flatMap(({ words }) => words.parts)
  return together(one.db, { key: keyOf(wanted), build }, Object.fromEntries(parts.entries()))
}

/** Starts the reads that several searches wait for. */
const startAll = (wanted: readonly Wanted[]): Promise<NewestMatch[]>[] => {
  const isShared = ({ db }: Wanted): boolean => mayShareQuery(db)
  const shared = readTogether(wanted.filter(isShared))
  return wanted.map((one) =>
    isShared(one) ? shared.then((matches) => matches.filter(({ table }) => table === one.of.table)) : readAlone(one),
  )
}

interface Waiting {
  wanted: Wanted
  resolve: (matches: Promise<NewestMatch[]>) => void
}

/**
 * Runs searches side by side. What they read is read when all of those that have not ended wait for a read.
 * @returns what each of them returns
 */
export const sideBySide = <T>(searches: readonly ((read: ReadMatches) => Promise<T>)[]): Promise<T[]> => {
  let running = searches.length
  let waiting: Waiting[] = []
  const startWhenAllWait = (): void => {
    if (waiting.length < running) return
    const all = waiting
    waiting = []
    for (const [index, matches] of startAll(all.map(({ wanted }) => wanted)).entries()) all[index]?.resolve(matches)
  }
  const read: ReadMatches = (wanted) =>
    new Promise((resolve) => {
      waiting.push({ wanted, resolve })
      startWhenAllWait()
    })
  const ended = (): void => {
    running -= 1
    startWhenAllWait()
  }
  return Promise.all(searches.map((search) => search(read).finally(ended)))
}
