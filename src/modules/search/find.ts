import type { SelectQueryBuilder } from 'kysely'
import { compiledByKeyInTenant } from '#db/compiled.ts'
import { newestMatches, planNewest, readNewest, type NewestSearch, type NewestWords } from '#db/newest-search.ts'
import { wordsOf } from '#db/search.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { fold, foldQuery } from '#kernel/text.ts'
import '#modules/courses/index.ts'
import '#modules/groups/index.ts'
import '#modules/people/index.ts'
import { rankOf } from './rank.ts'

export interface Hit {
  id: string
  label: string
  sublabel: string | null
}

export interface Search {
  q: string
  /** At most this many hits are wanted. */
  limit: number
}

/** @returns the best hits first, and one more than `limit` where there are more */
export type Find = (db: ScopedDb, search: Search) => Promise<Hit[]>

/** The best hits are chosen among this many of the newest matches. When more records match, most match equally well. */
const CANDIDATES = 25

/** Up to this many matches are all compared, however well they match. */
const ALL_COMPARED = 100

/** A shorter word only ever matches at the beginning of a word, so a second search would find nothing new. */
const SHORTEST_ANYWHERE = 3

/** How many combinations of a kind of search, a number of words and a kind of reach are compiled. */
const MAX_COMPILED_QUERIES = 100

interface Found {
  id: string
  search_text: string
}

interface Searched<DB, TB extends keyof DB, Row> {
  table: 'student' | 'guardian' | 'staff' | 'group' | 'course'
  fold: (typed: string) => string
  from: (db: ScopedDb) => SelectQueryBuilder<DB, TB, Row>
  show: (row: Row) => Omit<Hit, 'id'>
}

/** The parts of the search by their index. */
interface Slots {
  [part: number]: string
}

/** The newest records that match. */
const matchesOf = <DB, TB extends keyof DB, Row extends Found>({ table, from }: Searched<DB, TB, Row>) => {
  const rows = compiledByKeyInTenant<Row>(MAX_COMPILED_QUERIES)
  const read = (db: ScopedDb, search: NewestWords, limit: number, expected?: 'short' | 'long'): Promise<Row[]> => {
    const query = {
      key: `${search.form}*${search.parts.length} ${limit}`,
      countedBy: `${table}.id`,
      ...(expected && { expected }),
      build: (handle: ScopedDb, slots: Slots) => {
        const parts = search.parts.map((_, index) => slots[index] as string)
        return newestMatches(handle, from(handle), { table, search: { ...search, parts } }).limit(limit)
      },
    }
    return rows(db, query, Object.fromEntries(search.parts.entries()))
  }
  return (db: ScopedDb, plan: NewestSearch, limit: number): Promise<Row[]> =>
    readNewest(db, { table, limit, plan }, (words, expected) => read(db, words, limit, expected))
}

/** Finds records by the words of their search_text. */
const findByWords = <DB, TB extends keyof DB, Row extends Found>(of: Searched<DB, TB, Row>): Find => {
  const matches = matchesOf(of)

  /** If many records match, those in which the words begin words come first, then those that contain them elsewhere. */
  const candidates = async (db: ScopedDb, query: string, limit: number): Promise<Row[]> => {
    const anywhere = await planNewest(db, of.table, { folded: query, position: 'anywhere' })
    const { form } = anywhere.search
    if (form === 'none') return []
    // Postgres does not say beforehand how many match, unless all of the words are common.
    const isUnknown = form === 'like' || form === 'like-first'
    const most = isUnknown ? CANDIDATES : ALL_COMPARED
    const isWorthReading = isUnknown || (anywhere.atMost ?? Infinity) < most
    const all = isWorthReading ? await matches(db, anywhere, most) : undefined
    const shortOnly = wordsOf(query).every((word) => word.length < SHORTEST_ANYWHERE)
    if (all && (all.length < most || shortOnly)) return all
    const beginning = await planNewest(db, of.table, { folded: query, position: 'word-start' })
    const begun = await matches(db, beginning, CANDIDATES)
    if (begun.length > limit || shortOnly) return begun
    const known = new Set(begun.map(({ id }) => id))
    const others = all ?? (await matches(db, anywhere, CANDIDATES))
    return [...begun, ...others.filter(({ id }) => !known.has(id))]
  }

  return async (db, { q, limit }) => {
    const query = of.fold(q)
    const found = await candidates(db, query, limit)
    // Sorting is stable: of those that match as well the newest stays first.
    return found
      .map((row) => ({ id: row.id, ...of.show(row), text: row.search_text }))
      .map((hit) => ({ hit, rank: rankOf(query, hit) }))
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, limit + 1)
      .map(({ hit: { id, label, sublabel } }) => ({ id, label, sublabel }))
  }
}

const fullName = (row: { first_name: string; last_name: string }): string => `${row.first_name} ${row.last_name}`

export const findStudents = findByWords({
  table: 'student',
  fold: foldQuery,
  from: (db) =>
    db
      .selectFrom('student')
      .select(['student.id', 'student.search_text'])
      .select(['student.first_name', 'student.last_name', 'student.student_number']),
  show: (row) => ({ label: fullName(row), sublabel: row.student_number }),
})

export const findGuardians = findByWords({
  table: 'guardian',
  fold: foldQuery,
  from: (db) =>
    db
      .selectFrom('guardian')
      .select(['guardian.id', 'guardian.search_text'])
      .select(['guardian.first_name', 'guardian.last_name', 'guardian.phone']),
  show: (row) => ({ label: fullName(row), sublabel: row.phone }),
})

export const findStaff = findByWords({
  table: 'staff',
  fold: foldQuery,
  from: (db) =>
    db
      .selectFrom('staff')
      .select(['staff.id', 'staff.search_text'])
      .select(['staff.first_name', 'staff.last_name', 'staff.title', 'staff.email', 'staff.phone']),
  show: (row) => ({ label: fullName(row), sublabel: row.title ?? row.email ?? row.phone }),
})

export const findGroups = findByWords({
  table: 'group',
  fold,
  from: (db) =>
    db
      .selectFrom('group')
      .innerJoin('course', 'course.id', 'group.course_id')
      .select(['group.id', 'group.search_text', 'group.name', 'course.name as course_name']),
  show: (row) => ({ label: row.name, sublabel: row.course_name }),
})

export const findCourses = findByWords({
  table: 'course',
  fold,
  from: (db) =>
    db
      .selectFrom('course')
      .innerJoin('course_category', 'course_category.id', 'course.category_id')
      .select(['course.id', 'course.search_text', 'course.name', 'course.code'])
      .select('course_category.name as category_name'),
  show: (row) => ({ label: row.name, sublabel: row.code ?? row.category_name }),
})
