import type { SelectQueryBuilder } from 'kysely'
import { wordsOf } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { fold, foldQuery } from '#kernel/text.ts'
import '#modules/courses/index.ts'
import '#modules/groups/index.ts'
import '#modules/people/index.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'
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
  cursors: Cursors
}

/** @returns the best hits first, and one more than `limit` where there are more */
export type Find = (db: ScopedDb, search: Search) => Promise<Hit[]>

/** The best hits are chosen among this many of the newest matches. When more records match, most match equally well. */
const CANDIDATES = 50

/** A shorter word only ever matches at the beginning of a word, so a second search would find nothing new. */
const SHORTEST_ANYWHERE = 3

interface Searched<DB, TB extends keyof DB, Row> {
  table: 'student' | 'guardian' | 'staff' | 'group' | 'course'
  fold: (typed: string) => string
  from: (db: ScopedDb) => SelectQueryBuilder<DB, TB, Row>
  show: (row: Row) => Omit<Hit, 'id'>
}

/** Finds records by the words of their search_text: first those in which they begin words, then those that contain them. */
const findByWords = <DB, TB extends keyof DB, Row extends { id: string; created_at: string; search_text: string }>(
  of: Searched<DB, TB, Row>,
): Find => {
  const list = (position: 'word-start' | 'anywhere') =>
    listOf({
      search: { table: of.table, fold: of.fold, position },
      from: of.from,
      order: newestFirst(of.table),
      show: (row: Row) => ({ ...of.show(row), id: row.id, text: row.search_text }),
    })
  const atWordStart = list('word-start')
  const anywhere = list('anywhere')
  return async (db, { q, limit, cursors }) => {
    const request = { db, cursors, query: { q, limit: CANDIDATES } }
    const found = (await atWordStart(request)).data
    const query = of.fold(q)
    if (found.length <= limit && wordsOf(query).some((word) => word.length >= SHORTEST_ANYWHERE)) {
      const known = new Set(found.map(({ id }) => id))
      found.push(...(await anywhere(request)).data.filter(({ id }) => !known.has(id)))
    }
    // Sorting is stable: of those that match as well the newest stays first.
    return found
      .map((hit) => ({ ...hit, rank: rankOf(query, hit) }))
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, limit + 1)
      .map(({ id, label, sublabel }) => ({ id, label, sublabel }))
  }
}

const fullName = (row: { first_name: string; last_name: string }): string => `${row.first_name} ${row.last_name}`

export const findStudents = findByWords({
  table: 'student',
  fold: foldQuery,
  from: (db) =>
    db
      .selectFrom('student')
      .select(['student.id', 'student.created_at', 'student.search_text'])
      .select(['student.first_name', 'student.last_name', 'student.student_number']),
  show: (row) => ({ label: fullName(row), sublabel: row.student_number }),
})

export const findGuardians = findByWords({
  table: 'guardian',
  fold: foldQuery,
  from: (db) =>
    db
      .selectFrom('guardian')
      .select(['guardian.id', 'guardian.created_at', 'guardian.search_text'])
      .select(['guardian.first_name', 'guardian.last_name', 'guardian.phone']),
  show: (row) => ({ label: fullName(row), sublabel: row.phone }),
})

export const findStaff = findByWords({
  table: 'staff',
  fold: foldQuery,
  from: (db) =>
    db
      .selectFrom('staff')
      .select(['staff.id', 'staff.created_at', 'staff.search_text'])
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
      .select(['group.id', 'group.created_at', 'group.search_text', 'group.name', 'course.name as course_name']),
  show: (row) => ({ label: row.name, sublabel: row.course_name }),
})

export const findCourses = findByWords({
  table: 'course',
  fold,
  from: (db) =>
    db
      .selectFrom('course')
      .innerJoin('course_category', 'course_category.id', 'course.category_id')
      .select(['course.id', 'course.created_at', 'course.search_text', 'course.name', 'course.code'])
      .select('course_category.name as category_name'),
  show: (row) => ({ label: row.name, sublabel: row.code ?? row.category_name }),
})
