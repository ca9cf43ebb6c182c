import type { SelectQueryBuilder } from 'kysely'
import { planNewest, readNewest, type NewestMatch, type NewestSearch } from '#db/queries/newest-search.ts'
import { wordsOf } from '#db/queries/search.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fold, foldQuery } from '#shared/text.ts'
import '#modules/courses/index.ts'
import '#modules/groups/index.ts'
import '#modules/people/index.ts'
import type { ReadMatches, Searched } from './matches.ts'
import { ranksFor } from './rank.ts'

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
export type Find = (db: ScopedDb, search: Search, read: ReadMatches) => Promise<Hit[]>

/** The best hits are chosen among this many of the newest matches. When more records match, most match equally well. */
const CANDIDATES = 25

/** Up to this many matches are all compared, however well they match. */
const ALL_COMPARED = 100

/** Whether all matches are read at once. */
const isFew = ({ isSmall, atMost = Infinity, search }: NewestSearch): boolean =>
  isSmall === true || atMost < ALL_COMPARED || search.form === 'none'

/** A shorter word only ever matches at the beginning of a word, so a second search would find nothing new. */
const SHORTEST_ANYWHERE = 3

/** Finds records by the words of their search_text. @param folded what was typed, as search_text holds it */
const findByWords = <DB, TB extends keyof DB>({
  table,
  folded,
  from,
}: {
  table: Searched['table']
  folded: (typed: string) => string
  from: (db: ScopedDb) => SelectQueryBuilder<DB, TB, NewestMatch>
}): Find => {
  const of: Searched = { table, from }

  /** If many records match, those in which the words begin words come first, then those that contain them elsewhere. */
  const candidates = async (db: ScopedDb, query: string, limit: number, read: ReadMatches): Promise<NewestMatch[]> => {
    const matches = (plan: NewestSearch, most: number): Promise<NewestMatch[]> =>
      readNewest(db, { table, limit: most, plan }, (words, expected) => read({ db, of, words, limit: most, expected }))
    const shortOnly = wordsOf(query).every((word) => word.length < SHORTEST_ANYWHERE)
    const beginning = await planNewest(db, table, { folded: query, position: 'word-start' })
    // When many rows have the words at the beginning of words, many have them anywhere.
    const begun = isFew(beginning) ? undefined : await matches(beginning, CANDIDATES)
    if (begun && (begun.length > limit || shortOnly)) return begun
    const anywhere = await planNewest(db, table, { folded: query, position: 'anywhere' })
    if (anywhere.search.form === 'none') return []
    const all = isFew(anywhere) ? await matches(anywhere, ALL_COMPARED) : undefined
    if (all && (all.length < ALL_COMPARED || shortOnly)) return all
    const first = begun ?? (await matches(beginning, CANDIDATES))
    if (first.length > limit || shortOnly) return first
    const known = new Set(first.map(({ id }) => id))
    const others = all ?? (await matches(anywhere, CANDIDATES))
    return [...first, ...others.filter(({ id }) => !known.has(id))]
  }

  return async (db, { q, limit }, read) => {
    const query = folded(q)
    const found = await candidates(db, query, limit, read)
    // Sorting is stable: of those that match as well the newest stays first.
    const rankOf = ranksFor(query)
    return found
      .map((hit) => ({ hit, rank: rankOf({ label: hit.label, text: hit.search_text }) }))
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, limit + 1)
      .map(({ hit: { id, label, sublabel } }) => ({ id, label, sublabel }))
  }
}

export const findStudents = findByWords({
  table: 'student',
  folded: foldQuery,
  from: (db) =>
    db
      .selectFrom('student')
      .select(['student.id', 'student.search_text', 'student.created_at as newest_at'])
      .select((eb) => eb(eb('student.first_name', '||', ' '), '||', eb.ref('student.last_name')).as('label'))
      .select('student.student_number as sublabel'),
})

export const findGuardians = findByWords({
  table: 'guardian',
  folded: foldQuery,
  from: (db) =>
    db
      .selectFrom('guardian')
      .select(['guardian.id', 'guardian.search_text', 'guardian.created_at as newest_at'])
      .select((eb) => eb(eb('guardian.first_name', '||', ' '), '||', eb.ref('guardian.last_name')).as('label'))
      .select('guardian.phone as sublabel'),
})

export const findStaff = findByWords({
  table: 'staff',
  folded: foldQuery,
  from: (db) =>
    db
      .selectFrom('staff')
      .select(['staff.id', 'staff.search_text', 'staff.created_at as newest_at'])
      .select((eb) => eb(eb('staff.first_name', '||', ' '), '||', eb.ref('staff.last_name')).as('label'))
      .select(({ fn }) => fn.coalesce('staff.title', 'staff.email', 'staff.phone').as('sublabel')),
})

export const findGroups = findByWords({
  table: 'group',
  folded: fold,
  from: (db) =>
    db
      .selectFrom('group')
      .innerJoin('course', 'course.id', 'group.course_id')
      .select(['group.id', 'group.search_text', 'group.created_at as newest_at'])
      .select(['group.name as label', 'course.name as sublabel']),
})

export const findCourses = findByWords({
  table: 'course',
  folded: fold,
  from: (db) =>
    db
      .selectFrom('course')
      .innerJoin('course_category', 'course_category.id', 'course.category_id')
      .select(['course.id', 'course.search_text', 'course.created_at as newest_at'])
      .select(({ fn }) => ['course.name as label', fn.coalesce('course.code', 'course_category.name').as('sublabel')]),
})
