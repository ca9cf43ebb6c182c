import type { Examples, World } from '#kit/examples.ts'
import { linkAccount } from '#kit/link-account.ts'
import { newGuardian, newStudent } from './people.ts'

const OWN = 'It tells of the caller alone, whoever that is.'

/** Asked by a guardian of the student. */
const ofOwnChild = async (world: World) => {
  const [studentId, guardianId] = [await newStudent(world), await newGuardian(world)]
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  await world.owner.post(`/students/${studentId}/guardians`, link)
  const member = await world.institute.member({ role: 'guardian' })
  await linkAccount(world.app, 'guardian', { id: guardianId, userId: member.userId })
  return { params: { id: studentId }, as: member }
}

export const myDayExamples: Examples = {
  'me.schedule': { branchless: OWN, make: async () => ({ query: '?from=2026-03-01&to=2026-03-31' }) },
  'me.teaching-today': { branchless: OWN, make: async () => ({}) },
  'me.family': { branchless: OWN, make: async () => ({}) },
  'me.student': { branchless: OWN, make: ofOwnChild },
  'me.student-money': { branchless: OWN, make: ofOwnChild },
  'me.attendance': { branchless: OWN, make: async () => ({}) },
}
