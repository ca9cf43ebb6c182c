import { planSearch, searchConditions } from '#db/queries/search.ts'
import { isSameName } from '#shared/names.ts'
import { isSamePhone, twinPhone } from '#shared/twin-phones.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { foldQuery } from '#shared/text.ts'
import { fullName } from './person.ts'
import { LISTED, toStudent } from './students/row.ts'
import type { Student } from './students/schemas.ts'

/** Who may be known already, for whoever is about to add somebody. */

/** More than a desk looks through would hide who is meant. */
const MOST = 5
/** Of those whose names have the same words, the newest are compared. */
const COMPARED = 25

interface AboutStudent {
  firstName?: string | undefined
  lastName?: string | undefined
  /** In E.164. */
  phone?: string | null | undefined
  nationalId?: string | null | undefined
}

const students = (db: ScopedDb) =>
  db.selectFrom('student').select(LISTED).orderBy('student.created_at', 'desc').orderBy('student.id', 'desc')

const ofName = async (db: ScopedDb, { firstName, lastName }: AboutStudent): Promise<Student[]> => {
  if (firstName === undefined || lastName === undefined) return []
  const name = `${firstName} ${lastName}`
  const words = await planSearch(db, 'student', foldQuery(name))
  const found = await students(db)
    .where(({ and }) => and(searchConditions('student', words)))
    .limit(COMPARED)
    .execute()
  return found.map(toStudent).filter((one) => isSameName(one.fullName, name))
}

/** The students of the reach who have the same name, phone or identity number: at most five. */
export const knownStudents = async (db: ScopedDb, about: AboutStudent): Promise<Student[]> => {
  const { phone, nationalId } = about
  const ofIdentity = nationalId
    ? await students(db).where('student.national_id', '=', nationalId).limit(MOST).execute()
    : []
  const ofPhone = phone
    ? await students(db)
        .where('student.phone', 'in', [phone, twinPhone(phone)])
        .limit(MOST)
        .execute()
    : []
  const all = [...ofIdentity.map(toStudent), ...ofPhone.map(toStudent), ...(await ofName(db, about))]
  return [...new Map(all.map((student) => [student.id, student])).values()].slice(0, MOST)
}

export interface KnownGuardian {
  id: string
  firstName: string
  lastName: string
  phone: string
  children: { id: string; fullName: string }[]
}

/**
 * The guardians of the reach who have this phone: one, or two from before both codes of a phone counted as one, of whom
 * the one with exactly this phone comes first.
 * @param phone in E.164
 * @param reached the students of whom the children are named
 */
export const knownGuardians = async (db: ScopedDb, phone: string, reached: ScopedDb): Promise<KnownGuardian[]> => {
  const found = await db
    .selectFrom('guardian')
    .select(['id', 'first_name', 'last_name', 'phone'])
    .where('phone', 'in', [phone, twinPhone(phone)])
    .orderBy('id')
    .execute()
  const ids = found.map(({ id }) => id)
  const linked =
    ids.length === 0
      ? []
      : await reached
          .selectFrom('guardian_link')
          .innerJoin('student', 'student.id', 'guardian_link.student_id')
          .select(['guardian_link.guardian_id', 'student.id', 'student.first_name', 'student.last_name'])
          .where('guardian_link.guardian_id', 'in', ids)
          .orderBy('guardian_link.created_at')
          .orderBy('guardian_link.id')
          .execute()
  return found
    .flatMap((guardian) =>
      guardian.phone !== null && isSamePhone(guardian.phone, phone) ? [{ ...guardian, phone: guardian.phone }] : [],
    )
    .toSorted((one, other) => Number(other.phone === phone) - Number(one.phone === phone))
    .map(({ id, first_name: firstName, last_name: lastName, phone: stored }) => ({
      id,
      firstName,
      lastName,
      phone: stored,
      children: linked
        .filter(({ guardian_id: guardianId }) => guardianId === id)
        .map((student) => ({ id: student.id, fullName: fullName(student) })),
    }))
}
