import type { TestApp } from '#kit/app.ts'
import type { Example, Examples, World } from '#kit/examples.ts'
import { newCourse } from './academics.ts'

type Place = Pick<World, 'owner' | 'branchId'>
type Fields = Record<string, unknown>

let made = 0

/** Creates a record. @returns its id */
export const create = async ({ owner }: Pick<World, 'owner'>, path: string, body: Fields): Promise<string> => {
  const reply = await owner.post(path, body)
  if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.id
}

export const newGroup = async (place: Place, fields: Fields = {}): Promise<string> => {
  made += 1
  const categoryId = await create(place, '/course-categories', { name: 'Languages', slug: `sessions-${made}` })
  const courseId = await create(place, '/courses', { categoryId, name: `Course ${made}` })
  return create(place, '/groups', { courseId, branchId: place.branchId, name: `Group ${made}`, ...fields })
}

export const newStaff = (place: Place, fields: Fields = {}): Promise<string> =>
  create(place, '/staff', { branchId: place.branchId, firstName: 'Tamar', lastName: 'Teacher', ...fields })

/** A student who is enrolled in the group from now on. */
export const newPupil = async (place: Place, groupId: string, fields: Fields = {}): Promise<string> => {
  const student = { branchId: place.branchId, firstName: 'Pupil', lastName: `Number ${(made += 1)}`, ...fields }
  const studentId = await create(place, '/students', student)
  await create(place, '/enrollments', { studentId, groupId })
  return studentId
}

/** A session of a new group, or of the given one: today, and late enough for students who are enrolled now. */
export const newSession = async (place: Place, groupId?: string, fields: Fields = {}): Promise<string> =>
  create(place, `/groups/${groupId ?? (await newGroup(place))}/sessions`, {
    scheduledStart: '2026-03-02T14:00:00.000Z',
    scheduledEnd: '2026-03-02T15:30:00.000Z',
    ...fields,
  })

/** The times of a session that begins in a minute, for a clock that other tests have moved. */
export const inAMinute = ({ clock }: Pick<TestApp, 'clock'>): Fields => ({
  scheduledStart: new Date(clock.millis() + 60_000).toISOString(),
  scheduledEnd: new Date(clock.millis() + 3_660_000).toISOString(),
})

/** Every Monday and Wednesday from March 2026 on. */
export const twiceAWeek = [
  { weekday: 1, startTime: '16:00', endTime: '17:30', validFrom: '2026-03-01', validTo: null },
  { weekday: 3, startTime: '16:00', endTime: '17:30', validFrom: '2026-03-01', validTo: null },
]

/** Somebody who came to a session without being enrolled. */
const newWalkIn = async (world: World) => {
  const studentId = await newPupil(world, await newGroup(world))
  const id = await newSession(world)
  const { status, body } = await world.owner.post(`/sessions/${id}/walk-ins`, { studentId })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { id, studentId }
}

const EID = { name: 'Eid al-Fitr', from: '2026-03-20', to: '2026-03-22' }
const ABSENCE = { from: '2026-03-02', to: '2026-03-03', reason: 'A wedding in the family' }

const newAbsence = async (world: World) => {
  const studentId = await newPupil(world, await newGroup(world))
  return { studentId, id: await create(world, `/students/${studentId}/absences`, ABSENCE) }
}

const WEEK = { from: '2026-03-02', to: '2026-03-06', reason: 'Reserve duty' }

/** A teacher with a lesson in that week. */
const newTeacher = async (world: World): Promise<string> => {
  const teacherStaffId = await newStaff(world)
  await newSession(world, await newGroup(world, { teacherStaffId, name: 'English A' }))
  return teacherStaffId
}

/** Somebody else stands in for a teacher in that week. @returns the teacher's id */
export const newCovered = async (world: World, substitute: { substituteStaffId: string }): Promise<string> => {
  const staffId = await newTeacher(world)
  await world.owner.post(`/staff/${staffId}/cover`, { ...WEEK, ...substitute })
  return staffId
}

const newCover = async (world: World): Promise<string> => {
  const path = `/staff/${await newTeacher(world)}/cover`
  const planned = await world.owner.post(path, { ...WEEK, substituteStaffId: await newStaff(world) })
  return planned.body.cover.id
}

const ofGroup = async (world: World): Promise<Example> => ({ params: { id: await newGroup(world) } })
const ofSession = async (world: World): Promise<Example> => ({ params: { id: await newSession(world) } })

export const sessionExamples: Examples = {
  'schedules.list': ofGroup,
  'schedules.replace': async (world) => ({ ...(await ofGroup(world)), body: { schedules: twiceAWeek } }),
  'sessions.list': ofGroup,
  'sessions.timetable': async (world) => {
    await newSession(world, await newGroup(world, { courseId: await newCourse(world), name: 'English A' }))
    return { query: '?from=2026-03-01&to=2026-03-31' }
  },
  'sessions.create': async (world) => ({
    ...(await ofGroup(world)),
    body: {
      scheduledStart: '2026-03-05T14:00:00.000Z',
      scheduledEnd: '2026-03-05T15:30:00.000Z',
      teacherStaffId: await newStaff(world),
    },
  }),
  'sessions.generate': async (world) => ({ ...(await ofGroup(world)), body: {} }),
  'sessions.read': ofSession,
  'sessions.update': async (world) => ({ ...(await ofSession(world)), body: { topic: 'Fractions' } }),
  'schedule-conflicts.list': async (world) => {
    const teacherStaffId = await newStaff(world)
    for (const room of ['A', 'B']) await newSession(world, await newGroup(world, { teacherStaffId, room }))
    return {}
  },
  'closures.list': async (world) => {
    await create(world, '/closures', EID)
    return {}
  },
  'closures.proposals': async () => ({ query: '?year=2026' }),
  'closures.create': async () => ({ body: EID }),
  'closures.create-many': async () => ({
    body: { closures: [EID, { name: 'Nowruz', from: '2026-03-25', to: '2026-03-25' }] },
  }),
  'closures.read': {
    make: async (world) => ({ params: { id: await create(world, '/closures', EID) } }),
    branchless: 'days on which all branches are closed',
  },
  'closures.update': async (world) => ({
    params: { id: await create(world, '/closures', EID) },
    body: { isBilled: false },
  }),
  'closures.delete': async (world) => ({ params: { id: await create(world, '/closures', EID) } }),
  'covers.list': async (world) => {
    await newCover(world)
    return {}
  },
  'covers.plan': async (world) => ({
    params: { id: await newTeacher(world) },
    body: { ...WEEK, substituteStaffId: await newStaff(world) },
  }),
  'covers.undo': async (world) => ({ params: { id: await newCover(world) } }),
  'absences.list': async (world) => {
    await newAbsence(world)
    return {}
  },
  'absences.of-student': async (world) => ({ params: { id: (await newAbsence(world)).studentId } }),
  'absences.announce': async (world) => ({
    params: { id: await newPupil(world, await newGroup(world)) },
    body: ABSENCE,
  }),
  'absences.withdraw': async (world) => ({ params: { id: (await newAbsence(world)).id } }),
  'attendance.roster': ofSession,
  'attendance.mark': async (world) => {
    const groupId = await newGroup(world)
    const studentId = await newPupil(world, groupId)
    return {
      params: { id: await newSession(world, groupId) },
      body: { entries: [{ studentId, status: 'late', minutesLate: 5 }] },
    }
  },
  'attendance.clear': async (world) => {
    const groupId = await newGroup(world)
    const studentId = await newPupil(world, groupId)
    const id = await newSession(world, groupId)
    await world.owner.put(`/sessions/${id}/attendance`, { entries: [{ studentId, status: 'absent' }] })
    return { params: { id, studentId } }
  },
  'attendance.walk-in-candidates': async (world) => ({
    params: { id: await newSession(world) },
    query: `?q=${encodeURIComponent('Pupil')}`,
  }),
  'attendance.add-walk-in': async (world) => {
    const studentId = await newPupil(world, await newGroup(world))
    return { params: { id: await newSession(world) }, body: { studentId } }
  },
  'attendance.walk-ins': async (world) => {
    await newWalkIn(world)
    return {}
  },
  'attendance.settle-walk-in': async (world) => ({ params: await newWalkIn(world) }),
  'attendance.summary': ofGroup,
  'attendance.grid': async (world) => {
    const groupId = await newGroup(world)
    const studentId = await newPupil(world, groupId)
    const entries = [{ studentId, status: 'present' }]
    await world.owner.put(`/sessions/${await newSession(world, groupId)}/attendance`, { entries })
    return { params: { id: groupId } }
  },
  'attendance.student': async (world) => ({ params: { id: await newPupil(world, await newGroup(world)) } }),
}
