import { planSearch, searchConditions } from '#db/queries/search.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName } from '#modules/people/index.ts'
import { isSameName } from '#shared/names.ts'
import { foldQuery } from '#shared/text.ts'
import { RowRefused } from '../complaints.ts'
import { GUARDIANS } from '../guardian-fields.ts'
import { findStudent } from '../kinds/find-student.ts'
import { namesIn } from '../kinds/names.ts'
import type { Values } from '../rows.ts'
import type { ClassListLine } from './schemas.ts'

type Found = ClassListLine['candidates'][number]

const MOST = 6

const COLUMNS = ['id', 'first_name', 'last_name', 'student_number'] as const

interface Row {
  id: string
  first_name: string
  last_name: string
  student_number: string
}

const shown = (row: Row): Found => ({ id: row.id, fullName: fullName(row), studentNumber: row.student_number })

/** A student within reach. @throws RowRefused */
export const reached = async (db: ScopedDb, id: string): Promise<Found> => {
  const row = await db.selectFrom('student').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  if (!row) throw new RowRefused('out_of_reach')
  return shown(row)
}

/** Those whose name has all the words. */
const namedLike = async (db: ScopedDb, name: string): Promise<Found[]> => {
  const words = await planSearch(db, 'student', foldQuery(name))
  const rows = await db
    .selectFrom('student')
    .select(COLUMNS.map((column) => `student.${column}` as const))
    .where(({ and }) => and(searchConditions('student', words)))
    .orderBy('student.created_at', 'desc')
    .orderBy('student.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(shown)
}

/** What tells people of one name apart. */
const TELLING = ['studentNumber', 'nationalId', 'phone', 'birthDate', ...GUARDIANS.map((slot) => `${slot}Phone`)]

/** Whom a line means; several: somebody has to say which of them, or that it is somebody new. */
interface Meant {
  student: Found | undefined
  candidates: readonly Found[]
}

/**
 * Finds whom a line means: by what tells people apart, else by the name, which is sure where it has nothing else and one
 * student has it.
 * @param names the students whom the caller may be told of by name; undefined: none
 * @throws RowRefused
 */
export const whoIsMeant = async (
  { whole, db, names }: { whole: ScopedDb; db: ScopedDb; names: ScopedDb | undefined },
  values: Values,
): Promise<Meant> => {
  const id = await findStudent(whole, values).catch((error: unknown) => {
    if (error instanceof RowRefused && (error.reason === 'identity_missing' || error.reason === 'ambiguous'))
      return undefined
    throw error
  })
  if (id !== undefined) return { student: await reached(db, id), candidates: [] }
  const { firstName = '', lastName = '' } = namesIn(values) ?? {}
  const name = `${firstName} ${lastName}`.trim()
  const candidates = name === '' || names === undefined ? [] : await namedLike(names, name)
  const isBare = TELLING.every((field) => values[field] === undefined)
  const [first, ...others] = candidates
  const isSure = isBare && first !== undefined && others.length === 0 && isSameName(first.fullName, name)
  return isSure ? { student: first, candidates: [] } : { student: undefined, candidates }
}
