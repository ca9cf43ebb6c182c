import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fullName, ownChildren, ownStudentId, type Self } from '#modules/people/index.ts'

/** A student whom the caller is, or whose guardian they are, and what of them they see. */
export interface OwnPerson {
  studentId: string
  fullName: string
  relation: 'student' | 'guardian'
  seesLearning: boolean
  seesMoney: boolean
}

/** The caller as a student, then the caller’s children by their first and last names. */
export const ownPeople = async (whole: ScopedDb, caller: Self): Promise<OwnPerson[]> => {
  const self = await ownStudentId(whole, caller)
  const sights = new Map((await ownChildren(whole, caller)).map((child) => [child.studentId, child]))
  const ids = [...new Set([...(self === null ? [] : [self]), ...sights.keys()])]
  if (ids.length === 0) return []
  const students = await whole
    .selectFrom('student')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .orderBy('first_name')
    .orderBy('last_name')
    .orderBy('id')
    .execute()
  const people = students.map((row): OwnPerson => {
    const isSelf = row.id === self
    return {
      studentId: row.id,
      fullName: fullName(row),
      relation: isSelf ? 'student' : 'guardian',
      seesLearning: isSelf || sights.get(row.id)?.seesLearning === true,
      seesMoney: isSelf || sights.get(row.id)?.seesMoney === true,
    }
  })
  const isSelf = ({ relation }: OwnPerson): boolean => relation === 'student'
  return [...people.filter(isSelf), ...people.filter((person) => !isSelf(person))]
}
