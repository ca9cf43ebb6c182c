import type { Examples, World } from '#kit/examples.ts'
import { newFeeSchedule } from './fees.ts'
import { newStudent } from './people.ts'
import { create, newGroup, newPupil } from './sessions.ts'

const ofStaff = { kind: 'percent', value: 12.5, label: 'Staff', validFrom: '2026-03-01' }

/** 12.5 percent, of whoever the fields name. */
export const newDiscount = (place: Pick<World, 'owner'>, fields: Record<string, unknown>): Promise<string> =>
  create(place, '/discounts', { ...ofStaff, ...fields })

const discountOfStudent = async (world: World) => newDiscount(world, { studentId: await newStudent(world) })

/** A student in a group that costs 450.00 ILS a month, of which 12.5 percent are taken off. */
const newCharged = async (world: World) => {
  const groupId = await newGroup(world)
  const studentId = await newPupil(world, groupId)
  await newFeeSchedule(world, { groupId })
  await newDiscount(world, { studentId, groupId })
  const { body } = await world.owner.get(`/students/${studentId}/enrollments`)
  return { studentId, enrollmentId: body.data[0].id as string }
}

export const discountExamples: Examples = {
  'discounts.list': async (world) => {
    await discountOfStudent(world)
    return {}
  },
  'discounts.create': async (world) => ({ body: { ...ofStaff, studentId: await newStudent(world) } }),
  'discounts.read': async (world) => ({ params: { id: await discountOfStudent(world) } }),
  'discounts.update': async (world) => ({
    params: { id: await discountOfStudent(world) },
    body: { validTo: '2026-06-30' },
  }),
  'discounts.delete': async (world) => ({ params: { id: await discountOfStudent(world) } }),
  'prices.of-student': async (world) => ({
    params: { id: (await newCharged(world)).studentId },
    query: '?month=2026-03',
  }),
  'prices.of-enrollment': async (world) => ({
    params: { id: (await newCharged(world)).enrollmentId },
    query: '?month=2026-03',
  }),
}
