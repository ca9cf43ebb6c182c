import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import { namesOf } from './span.ts'

type Ids = Iterable<string | null>

/** What records are called, whichever of them the caller reaches: a report names what stands behind its figures. */

export const branchNames = (db: ScopedDb, ids: Ids) =>
  namesOf(ids, (some) => db.selectFrom('branch').select(['id', 'name']).where('id', 'in', some).execute())

export const courseNames = (db: ScopedDb, ids: Ids) =>
  namesOf(ids, (some) => db.selectFrom('course').select(['id', 'name']).where('id', 'in', some).execute())

export const groupNames = (db: ScopedDb, ids: Ids) =>
  namesOf(ids, (some) => db.selectFrom('group').select(['id', 'name']).where('id', 'in', some).execute())

interface Person {
  id: string
  first_name: string
  last_name: string
}

const named = (rows: readonly Person[]) => rows.map((row) => ({ id: row.id, name: fullName(row) }))

const NAMED = ['id', 'first_name', 'last_name'] as const

export const studentNames = (db: ScopedDb, ids: Ids) =>
  namesOf(ids, async (some) => named(await db.selectFrom('student').select(NAMED).where('id', 'in', some).execute()))

export const guardianNames = (db: ScopedDb, ids: Ids) =>
  namesOf(ids, async (some) => named(await db.selectFrom('guardian').select(NAMED).where('id', 'in', some).execute()))

export const staffNames = (db: ScopedDb, ids: Ids) =>
  namesOf(ids, async (some) => named(await db.selectFrom('staff').select(NAMED).where('id', 'in', some).execute()))
