import type { Examples, World } from '#kit/examples.ts'
import { issuedInvoice } from './billing.ts'
import { newFamily } from './people.ts'
import { create, newGroup, newPupil, newSession } from './sessions.ts'

/** A group with a family. */
const newClass = async (world: World): Promise<string> => {
  const { id: studentId } = await newFamily(world)
  const groupId = await newGroup(world)
  await create(world, '/enrollments', { studentId, groupId })
  return groupId
}

/** A student who was marked absent today. */
const newAbsent = async (world: World): Promise<void> => {
  const groupId = await newGroup(world, { name: 'English A' })
  const studentId = await newPupil(world, groupId)
  const sessionId = await newSession(world, groupId)
  await world.owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })
}

export const figureExamples: Examples = {
  'guardians.family-summary': async (world) => {
    const { id: studentId, guardianId } = await newFamily(world)
    await issuedInvoice(world, { studentId })
    return { params: { id: guardianId } }
  },
  'directory.students': async (world) => {
    const { id: studentId } = await newFamily(world)
    await issuedInvoice(world, { studentId })
    return {}
  },
  'directory.contacts-pdf': async (world) => ({ params: { id: await newClass(world) } }),
  'directory.contacts': async (world) => ({ params: { id: await newClass(world) } }),
  'directory.guardians': async (world) => {
    const { id: studentId } = await newFamily(world)
    await issuedInvoice(world, { studentId })
    return {}
  },
  'dashboard.absent': async (world) => {
    await newAbsent(world)
    return {}
  },
  'dashboard.attention': {
    make: async () => ({}),
    branchless: 'it answers every member with the figures that they reach',
  },
  'dashboard.read': {
    make: async () => ({}),
    branchless: 'it answers every holder of reports.read with the figures that they reach',
  },
}
