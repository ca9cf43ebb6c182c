import { InvalidInput, invalid, issuesOf, type Issue } from '#kernel/values/errors.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { guardiansOfLead, studentOfLead } from '#modules/leads/index.ts'
import { checkBirthDate, NewGuardian, type FamilyGuardian, type FamilyStudent } from '#modules/people/index.ts'
import type { Asked, LeadRow } from './asked.ts'
import type { RegisteredStudent } from './schemas.ts'

/** The family of a registration, as all families come in. */

type Path = (string | number)[]

type Family = Pick<Asked, 'tx' | 'body'>

/** Looks through a body to its end, so that all that is missing is told at once. */
class Gaps {
  readonly #issues: Issue[] = []

  /** Where it was left out, `check` throws, and nobody uses what this returns. */
  needed<T>(value: T | undefined, path: Path): T {
    if (value === undefined) this.#issues.push({ path: path.map(String), message: 'Is needed.' })
    return value as T
  }

  /** @param look throws VALIDATION_ERROR for what cannot be */
  look(path: Path, look: () => void): void {
    try {
      look()
    } catch (error) {
      if (issuesOf(error).length === 0) throw error
      this.#issues.push(...issuesOf(error).map((issue) => ({ ...issue, path: [...path.map(String), ...issue.path] })))
    }
  }

  /** @throws VALIDATION_ERROR */
  check(): void {
    if (this.#issues.length > 0) throw InvalidInput({ issues: this.#issues })
  }
}

/** @throws VALIDATION_ERROR for a field of somebody who is there already */
const refuseFields = (fields: object, path: Path): void => {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? []
  if (field !== undefined) throw invalid([...path, field], 'Must be left out of somebody who is named by id.')
}

/** @throws VALIDATION_ERROR */
const guardiansOf = ({ tx, body }: Family, lead: LeadRow | null, gaps: Gaps): FamilyGuardian[] => {
  const { guardian, relationship, isPrimary, isPayer } = body
  const marks = { isPrimary, isPayer }
  if (guardian === null) return []
  if (guardian === undefined) {
    return (lead ? guardiansOfLead(lead) : []).map((one) => ({ ...one, marks, ...(relationship && { relationship }) }))
  }
  const tie = { relationship: gaps.needed(relationship, ['relationship']), marks }
  const { id, ...fields } = guardian
  if (id !== undefined) {
    refuseFields(fields, ['guardian'])
    return [{ ...tie, id }]
  }
  const { firstName, lastName, phone, preferredLocale = NewGuardian.entries.preferredLocale.default } = fields
  const added = {
    ...fields,
    firstName: gaps.needed(firstName, ['guardian', 'firstName']),
    lastName: gaps.needed(lastName, ['guardian', 'lastName']),
    phone: gaps.needed(phone, ['guardian', 'phone']),
    preferredLocale,
  }
  gaps.look(['guardian'], () => withStoredPhone(tx, { phone }))
  return [{ ...tie, added }]
}

/** What a registration says of the student as a person. */
export const fieldsOf = ({ id: _id, groups: _groups, lines: _lines, ...fields }: RegisteredStudent) => fields

const added = (tx: Tx, student: RegisteredStudent, at: number, gaps: Gaps): FamilyStudent => {
  const { firstName, lastName, branchId, studentNumber, ...details } = fieldsOf(student)
  const path = ['students', at]
  gaps.look(path, () => withStoredPhone(tx, details))
  gaps.look(path, () => checkBirthDate(tx, details))
  return {
    added: {
      ...details,
      firstName: gaps.needed(firstName, [...path, 'firstName']),
      lastName: gaps.needed(lastName, [...path, 'lastName']),
      branchId: gaps.needed(branchId, [...path, 'branchId']),
      ...(studentNumber !== undefined && { studentNumber }),
    },
    origin: { status: 'active' },
  }
}

const ofLead = (tx: Tx, student: RegisteredStudent, lead: LeadRow, gaps: Gaps): FamilyStudent => {
  const { id, studentNumber } = student
  const { student_id: present } = lead
  if (present === null) {
    if (id !== undefined) return { id }
    // A lead without a student has a branch.
    const asked = studentOfLead(lead, lead.unlinked_branch_id as string).added
    const told = Object.fromEntries(Object.entries(student).filter(([, value]) => value !== undefined))
    return added(tx, { ...asked, ...told, groups: [] }, 0, gaps)
  }
  if (id !== undefined && id !== present) throw invalid(['students', 0, 'id'], 'Must be the student of the lead.')
  if (studentNumber !== undefined) throw invalid(['students', 0, 'studentNumber'], 'The student of the lead has one.')
  return { id: present }
}

/** @throws VALIDATION_ERROR */
const studentsOf = ({ tx, body: { students } }: Family, lead: LeadRow | null, gaps: Gaps): FamilyStudent[] =>
  students.map((student, at) => {
    if (student.id !== undefined) refuseFields(fieldsOf(student), ['students', at])
    if (lead && at === 0) return ofLead(tx, student, lead, gaps)
    return student.id === undefined ? added(tx, student, at, gaps) : { id: student.id }
  })

/** @throws VALIDATION_ERROR, which names all that is missing */
export const familyOf = (
  asked: Family,
  lead: LeadRow | null,
): { guardians: FamilyGuardian[]; students: FamilyStudent[] } => {
  const gaps = new Gaps()
  const family = { guardians: guardiansOf(asked, lead, gaps), students: studentsOf(asked, lead, gaps) }
  gaps.check()
  return family
}
