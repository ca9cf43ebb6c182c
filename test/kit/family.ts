import type { Client } from './client.ts'
import type { TestInstitute } from './institute.ts'
import { newPhone } from '../api/examples/people.ts'
import { create, newGroup, newPupil } from '../api/examples/sessions.ts'

/** A group with a teacher, and a student with guardians of different languages; each address tells who it is. */
export interface TestFamily {
  groupId: string
  studentId: string
  teacherStaffId: string
  /** Arabic, the payer, by mail. */
  motherId: string
  /** Hebrew, by mail. */
  fatherId: string
  /** English, without an email address. */
  auntId: string
}

let made = 0

/** Makes a guardian of the student. @returns its id */
export const newParent = async (
  { owner }: { owner: Client },
  studentId: string,
  fields: Record<string, unknown>,
  link: Record<string, unknown> = {},
): Promise<string> => {
  const named = { firstName: 'Parent', lastName: `Number ${(made += 1)}`, phone: newPhone(), ...fields }
  const guardianId = await create({ owner }, '/guardians', named)
  const body = { guardianId, relationship: 'guardian', isPrimary: false, isPayer: false, ...link }
  await owner.post(`/students/${studentId}/guardians`, body)
  return guardianId
}

export const newFamily = async (
  institute: TestInstitute,
  student: Record<string, unknown> = { email: 'student@example.org' },
): Promise<TestFamily> => {
  const place = { owner: institute.owner, branchId: institute.branchId }
  const teacherStaffId = await create(place, '/staff', {
    branchId: place.branchId,
    firstName: 'Tamar',
    lastName: 'Levi',
    email: 'teacher@example.org',
  })
  const groupId = await newGroup(place, { teacherStaffId, name: 'Algebra 1' })
  const studentId = await newPupil(place, groupId, { firstName: 'Noor', lastName: 'Haddad', ...student })
  const parent = (fields: Record<string, unknown>, link?: Record<string, unknown>) =>
    newParent(place, studentId, { lastName: 'Haddad', ...fields }, link)
  return {
    groupId,
    studentId,
    teacherStaffId,
    motherId: await parent(
      { firstName: 'Hala', email: 'mother@example.org', preferredLocale: 'ar' },
      { relationship: 'mother', isPayer: true, isPrimary: true },
    ),
    fatherId: await parent(
      { firstName: 'Sami', email: 'father@example.org', preferredLocale: 'he' },
      { relationship: 'father' },
    ),
    auntId: await parent({ firstName: 'Rana', preferredLocale: 'en' }),
  }
}
