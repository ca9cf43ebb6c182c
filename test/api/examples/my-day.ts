import type { Examples, World } from '#kit/examples.ts'
import { linkAccount } from '#kit/link-account.ts'
import { newGuardian, newStudent } from './people.ts'

const OWN = 'It tells of the caller alone, whoever that is.'

/** A student, and a guardian of theirs with an account. */
const newOwnChild = async (world: World) => {
  const [studentId, guardianId] = [await newStudent(world), await newGuardian(world)]
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  await world.owner.post(`/students/${studentId}/guardians`, link)
  const member = await world.institute.member({ role: 'guardian' })
  await linkAccount(world.app, 'guardian', { id: guardianId, userId: member.userId })
  return { studentId, member }
}

/** Asked by a guardian of the student. */
const ofOwnChild = async (world: World) => {
  const { studentId, member } = await newOwnChild(world)
  return { params: { id: studentId }, as: member }
}

const PROPOSED = {
  changes: { phone: '050-111-2233', address: { line1: 'Herzl 5', city: 'Haifa' } },
  note: 'We have moved',
}

/** What a guardian proposes of their child. */
const newProposal = async (world: World) => {
  const { studentId, member } = await newOwnChild(world)
  const { status, body } = await member.post('/me/proposed-changes', { studentId, ...PROPOSED })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { member, id: body.id as string }
}

/** A proposal as the office looks at it. */
const newToDecide = async (world: World) => {
  const { id } = await newProposal(world)
  const { data } = (await world.owner.get('/proposed-changes?limit=100')).body
  return { id, seen: data.find((one: { id: string }) => one.id === id).seen as string }
}

export const myDayExamples: Examples = {
  'me.schedule': { branchless: OWN, make: async () => ({ query: '?from=2026-03-01&to=2026-03-31' }) },
  'me.teaching-today': { branchless: OWN, make: async () => ({}) },
  'me.family': { branchless: OWN, make: async () => ({}) },
  'me.student': { branchless: OWN, make: ofOwnChild },
  'me.student-money': { branchless: OWN, make: ofOwnChild },
  'me.details': { branchless: OWN, make: async (world) => ({ as: (await newOwnChild(world)).member }) },
  'me.propose-change': {
    branchless: OWN,
    make: async (world) => {
      const { studentId, member } = await newOwnChild(world)
      return { as: member, body: { studentId, ...PROPOSED } }
    },
  },
  'me.withdraw-change': {
    branchless: OWN,
    make: async (world) => {
      const { id, member } = await newProposal(world)
      return { as: member, params: { id } }
    },
  },
  'proposed-changes.list': async (world) => {
    await newProposal(world)
    return {}
  },
  'proposed-changes.accept': async (world) => {
    const { id, seen } = await newToDecide(world)
    return { params: { id }, body: { seen, fields: ['phone'], remark: 'Thank you' } }
  },
  'proposed-changes.decline': async (world) => {
    const { id, seen } = await newToDecide(world)
    return { params: { id }, body: { seen, remark: 'Please bring an identity card' } }
  },
  'me.attendance': { branchless: OWN, make: async () => ({}) },
}
