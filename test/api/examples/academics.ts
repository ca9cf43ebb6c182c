import type { Examples, World } from '#kit/examples.ts'
import { newCategory } from './course-categories.ts'
import { newStaff, newStudent } from './people.ts'

export const newCourse = async (world: World, more: object = {}): Promise<string> =>
  (await world.owner.post('/courses', { categoryId: await newCategory(world), name: 'English', ...more })).body.id

export const newGroup = async (world: World, more: object = {}): Promise<string> =>
  (
    await world.owner.post('/groups', {
      courseId: await newCourse(world, { defaultFeeMinor: 45_000, defaultCapacity: 20 }),
      branchId: world.branchId,
      name: 'English A',
      ...more,
    })
  ).body.id

export const newEnrollment = async (world: World): Promise<string> =>
  (await world.owner.post('/enrollments', { studentId: await newStudent(world), groupId: await newGroup(world) })).body
    .id

/** A full group of one place, and somebody who waits for it. */
const newWaiting = async (world: World): Promise<{ groupId: string; enrollmentId: string; entryId: string }> => {
  const groupId = await newGroup(world, { capacity: 1 })
  const enrolled = await world.owner.post('/enrollments', { studentId: await newStudent(world), groupId })
  const waiting = await world.owner.post(`/groups/${groupId}/waiting`, { studentId: await newStudent(world) })
  return { groupId, enrollmentId: enrolled.body.id, entryId: waiting.body.id }
}

const newFreed = async (world: World): Promise<string> => {
  const { enrollmentId, entryId } = await newWaiting(world)
  await world.owner.post(`/enrollments/${enrollmentId}/drop`, {})
  return entryId
}

const newOffered = async (world: World): Promise<string> => {
  const entryId = await newFreed(world)
  await world.owner.post(`/waiting/${entryId}/offer`)
  return entryId
}

const branchless = 'courses belong to the whole institute'
const ofGroup = async (world: World) => ({ params: { id: await newGroup(world) } })
const ofEnrollment = async (world: World) => ({ params: { id: await newEnrollment(world) } })

export const academicExamples: Examples = {
  'courses.list': { make: async () => ({ query: '?isActive=true' }), branchless },
  'courses.create': async (world) => ({ body: { categoryId: await newCategory(world), name: 'Hebrew' } }),
  'courses.read': { make: async (world) => ({ params: { id: await newCourse(world) } }), branchless },
  'courses.update': async (world) => ({ params: { id: await newCourse(world) }, body: { level: 'B1' } }),
  'courses.delete': async (world) => ({ params: { id: await newCourse(world) } }),
  'groups.list': async () => ({ query: '?status=active' }),
  'groups.create': async (world) => ({
    body: {
      courseId: await newCourse(world),
      branchId: world.branchId,
      name: 'New group',
      teacherStaffId: await newStaff(world),
    },
  }),
  'groups.read': ofGroup,
  'attendance.roster-pdf': ofGroup,
  'groups.update': async (world) => ({ ...(await ofGroup(world)), body: { room: '12' } }),
  'groups.rehearse': async (world) => ({ ...(await ofGroup(world)), body: { endsOn: '2026-06-30' } }),
  'groups.rollover': async (world) => ({
    body: { groupIds: [await newGroup(world, { endsOn: '2026-06-30' })], startsOn: '2026-09-01', endsOn: '2027-06-30' },
  }),
  'waiting-lists.list': async (world) => ({ params: { id: (await newWaiting(world)).groupId } }),
  'waiting-lists.join': async (world) => {
    const { groupId, entryId } = await newWaiting(world)
    await world.owner.delete(`/waiting/${entryId}`)
    return { params: { id: groupId }, body: { studentId: await newStudent(world), note: 'Mondays only' } }
  },
  'waiting-lists.order': async (world) => {
    const { groupId, entryId } = await newWaiting(world)
    return { params: { id: groupId }, body: { entryIds: [entryId] } }
  },
  'waiting-lists.leave': async (world) => ({ params: { id: (await newWaiting(world)).entryId } }),
  'waiting-lists.offer': async (world) => ({ params: { id: await newFreed(world) } }),
  'waiting-lists.accept': async (world) => ({ params: { id: await newOffered(world) } }),
  'waiting-lists.decline': async (world) => ({ params: { id: await newOffered(world) } }),
  'groups.delete': ofGroup,
  'groups.enrollments': ofGroup,
  'enrollments.list': async () => ({ query: '?status=active' }),
  'enrollments.create': async (world) => ({
    body: { studentId: await newStudent(world), groupId: await newGroup(world) },
  }),
  'enrollments.create-many': async (world) => ({
    params: { id: await newGroup(world) },
    body: { studentIds: [await newStudent(world)] },
  }),
  'groups.class-list': async (world) => ({
    params: { id: await newGroup(world) },
    body: { text: 'First name\tLast name\tPhone\nLina\tKhoury\t054-123-4567' },
  }),
  'enrollments.read': ofEnrollment,
  'enrollments.update': async (world) => ({ ...(await ofEnrollment(world)), body: { enrolledAt: '2026-03-01' } }),
  'enrollments.pdf': ofEnrollment,
  'enrollments.delete': async (world) => ({ params: { id: await newEnrollment(world) } }),
  'enrollments.drop': async (world) => ({ ...(await ofEnrollment(world)), body: { reason: 'Moved away' } }),
  'enrollments.move': async (world) => ({ ...(await ofEnrollment(world)), body: { groupId: await newGroup(world) } }),
  'enrollments.complete': ofEnrollment,
  'enrollments.of-student': async (world) => ({ params: { id: await newStudent(world) } }),
}
