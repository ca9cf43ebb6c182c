import type { TestInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newPhone } from '../examples/people.ts'
import { create, newGroup } from '../examples/sessions.ts'

/** Where the families are. */
type School = Pick<TestInstitute, 'owner' | 'branchId'>

/** Two children of a mother, who pays, and a father; and a student alone. */
export interface Family {
  school: School
  mother: string
  father: string
  students: [string, string, string]
  /** The fee of the group in which all three are. */
  feeScheduleId: string
  /** That of their cheques. */
  account: string
}

/** What the group costs for a month, and what is taken off. */
export const PRICE = 997
export const PERCENT = 10
export const AMOUNT = 33
export const MONTHS = ['2026-03', '2026-04', '2026-05']

export const familyOf = async (school: School, account: string): Promise<Family> => {
  const { owner, branchId } = school
  const parent = async (firstName: string): Promise<string> =>
    (await owner.post('/guardians', { firstName, lastName: 'Levi', phone: newPhone() })).body.id
  const student = async (): Promise<string> =>
    (await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body.id
  const [mother, father] = [await parent('Ruth'), await parent('Dan')]
  const students: Family['students'] = [await student(), await student(), await student()]
  for (const id of students.slice(0, 2)) {
    for (const guardianId of [mother, father]) {
      const link = { guardianId, relationship: 'other', isPrimary: false, isPayer: guardianId === mother }
      await owner.post(`/students/${id}/guardians`, link)
    }
  }
  const groupId = await newGroup({ owner, branchId })
  for (const studentId of students) await create({ owner }, '/enrollments', { studentId, groupId })
  const feeScheduleId = await newFeeSchedule({ owner }, { groupId, amountMinor: PRICE, dueDay: 20 })
  const stands = { validFrom: '2026-01-01' }
  const ofChild = { studentId: students[0], kind: 'percent', value: PERCENT, label: 'Staff', ...stands }
  await create({ owner }, '/discounts', ofChild)
  await create({ owner }, '/discounts', {
    guardianId: mother,
    kind: 'amount',
    value: AMOUNT,
    label: 'Hardship',
    ...stands,
  })
  return { school, mother, father, students, feeScheduleId, account }
}
