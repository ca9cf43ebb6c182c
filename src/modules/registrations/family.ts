import { invalid } from '#kernel/errors.ts'
import { guardiansOfLead, studentOfLead } from '#modules/leads/index.ts'
import { NewGuardian, type FamilyGuardian, type FamilyStudent } from '#modules/people/index.ts'
import type { LeadRow } from './asked.ts'
import type { NewRegistration, RegisteredStudent } from './schemas.ts'

/** The family of a registration, as all families come in. */

type Path = (string | number)[]

/** @throws VALIDATION_ERROR where it was left out */
const needed = <T>(value: T | undefined, path: Path): T => {
  if (value === undefined) throw invalid(path, 'Is needed.')
  return value
}

/** @throws VALIDATION_ERROR for a field of somebody who is there already */
const refuseFields = (fields: object, path: Path): void => {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? []
  if (field !== undefined) throw invalid([...path, field], 'Must be left out of somebody who is named by id.')
}

/** @throws VALIDATION_ERROR */
export const guardiansOf = (body: NewRegistration, lead: LeadRow | null): FamilyGuardian[] => {
  const { guardian, relationship, isPrimary, isPayer } = body
  const marks = { isPrimary, isPayer }
  if (guardian === null) return []
  if (guardian === undefined) {
    return (lead ? guardiansOfLead(lead) : []).map((one) => ({ ...one, marks, ...(relationship && { relationship }) }))
  }
  const tie = { relationship: needed(relationship, ['relationship']), marks }
  const { id, ...fields } = guardian
  if (id !== undefined) {
    refuseFields(fields, ['guardian'])
    return [{ ...tie, id }]
  }
  const { firstName, lastName, phone, preferredLocale = NewGuardian.entries.preferredLocale.default } = fields
  const added = {
    ...fields,
    firstName: needed(firstName, ['guardian', 'firstName']),
    lastName: needed(lastName, ['guardian', 'lastName']),
    phone: needed(phone, ['guardian', 'phone']),
    preferredLocale,
  }
  return [{ ...tie, added }]
}

/** What a registration says of the student as a person. */
export const fieldsOf = ({ id: _id, groups: _groups, lines: _lines, ...fields }: RegisteredStudent) => fields

const added = (student: RegisteredStudent, at: number): FamilyStudent => {
  const { firstName, lastName, branchId, studentNumber, ...details } = fieldsOf(student)
  const path = ['students', at]
  return {
    added: {
      ...details,
      firstName: needed(firstName, [...path, 'firstName']),
      lastName: needed(lastName, [...path, 'lastName']),
      branchId: needed(branchId, [...path, 'branchId']),
      ...(studentNumber !== undefined && { studentNumber }),
    },
    origin: { status: 'active' },
  }
}

const ofLead = (student: RegisteredStudent, lead: LeadRow): FamilyStudent => {
  const { id, studentNumber } = student
  const { student_id: present } = lead
  if (present === null) {
    if (id !== undefined) return { id }
    // A lead without a student has a branch.
    const asked = studentOfLead(lead, lead.unlinked_branch_id as string).added
    const told = Object.fromEntries(Object.entries(student).filter(([, value]) => value !== undefined))
    return added({ ...asked, ...told, groups: [] }, 0)
  }
  if (id !== undefined && id !== present) throw invalid(['students', 0, 'id'], 'Must be the student of the lead.')
  if (studentNumber !== undefined) throw invalid(['students', 0, 'studentNumber'], 'The student of the lead has one.')
  return { id: present }
}

/** @throws VALIDATION_ERROR */
export const studentsOf = ({ students }: NewRegistration, lead: LeadRow | null): FamilyStudent[] =>
  students.map((student, at) => {
    if (student.id !== undefined) refuseFields(fieldsOf(student), ['students', at])
    if (lead && at === 0) return ofLead(student, lead)
    return student.id === undefined ? added(student, at) : { id: student.id }
  })
