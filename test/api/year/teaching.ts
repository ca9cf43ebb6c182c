import type { Desk } from './desk.ts'
import type { Closure, Group, Lesson, Mark, Rule } from './facts.ts'
import { endOf, meets, plan, rosterOf, settle, startOf } from './lessons.ts'
import { hasEnded } from './people.ts'

/** What the office does with groups, their lessons and the days on which it is closed. */

export interface NewGroup {
  name: string
  course: string
  branch: string
  startsOn: string
  endsOn: string
  feeMinor: number
  currency: string
  rules: Rule[]
}

/** Makes a group with its weekly times, and all of its lessons. */
export const addGroup = async (desk: Desk, { name, course, branch, rules, ...fields }: NewGroup): Promise<Group> => {
  const { id } = await desk.ask('POST', '/groups', { name, courseId: course, branchId: branch, ...fields })
  await desk.ask('PUT', `/groups/${id}/schedules`, { schedules: rules })
  await desk.ask('POST', `/groups/${id}/sessions/generate`, { until: fields.endsOn })
  const group: Group = {
    id,
    course,
    branch,
    ...fields,
    status: 'active',
    closedOn: null,
    capacity: null,
    teacher: null,
    former: null,
    rules,
    lessons: [],
  }
  desk.school.groups.push(group)
  plan(desk.school, group, desk.now)
  return group
}

export const changeDates = async (
  desk: Desk,
  group: Group,
  dates: Partial<Pick<Group, 'startsOn' | 'endsOn'>>,
): Promise<void> => {
  await desk.ask('PATCH', `/groups/${group.id}`, dates)
  // Of many lessons the first follow at once, the others in jobs.
  await desk.drain()
  Object.assign(group, dates)
  plan(desk.school, group, desk.now)
}

export const endGroup = async (desk: Desk, group: Group, status: 'completed' | 'cancelled'): Promise<void> => {
  await desk.ask('PATCH', `/groups/${group.id}`, { status })
  await desk.drain()
  stand(desk, group, status)
}

/** What follows for a group that has another status from now on. */
export const stand = (desk: Desk, group: Group, status: Group['status']): void => {
  const { school, today } = desk
  group.status = status
  group.closedOn = meets(group) ? null : today
  if (status === 'completed') {
    for (const one of school.enrollments.filter(({ group: id }) => id === group.id)) {
      if (!hasEnded(one, today)) Object.assign(one, { to: desk.moment, ending: 'completed' })
    }
  }
  settle(school, desk.now)
}

export const close = async (desk: Desk, closure: Omit<Closure, 'id'>): Promise<Closure> => {
  const { branch: branchId, ...fields } = closure
  const { id } = await desk.ask('POST', '/closures', { ...fields, branchId })
  const made = { ...closure, id }
  desk.school.closures.push(made)
  await desk.drain()
  settle(desk.school, desk.now)
  return made
}

export const changeClosure = async (
  desk: Desk,
  closure: Closure,
  changes: Partial<Pick<Closure, 'from' | 'to' | 'isBilled' | 'name'>>,
): Promise<void> => {
  await desk.ask('PATCH', `/closures/${closure.id}`, changes)
  Object.assign(closure, changes)
  await desk.drain()
  settle(desk.school, desk.now)
}

export const open = async (desk: Desk, closure: Closure): Promise<void> => {
  await desk.ask('DELETE', `/closures/${closure.id}`)
  desk.school.closures = desk.school.closures.filter(({ id }) => id !== closure.id)
  await desk.drain()
  settle(desk.school, desk.now)
}

export interface Known {
  id: string
  group: Group
  lesson: Lesson
}

/** The lessons of a day that are still to be held, with the ids that the program gave them. */
export const lessonsOn = async (desk: Desk, day: string): Promise<Known[]> => {
  const { school } = desk
  const rows = await desk.all(`/sessions?from=${day}&to=${day}`)
  return rows.flatMap((row): Known[] => {
    const group = school.groups.find(({ id }) => id === row.groupId)
    const lesson = group?.lessons.find(
      (one) => one.state === 'scheduled' && startOf(one, school.zone) === row.scheduledStart,
    )
    return group && lesson && row.status === 'scheduled' ? [{ id: row.id, group, lesson }] : []
  })
}

export const cancelLesson = async (desk: Desk, { id, lesson }: Known): Promise<void> => {
  await desk.ask('PATCH', `/sessions/${id}`, { status: 'cancelled', reason: 'The teacher is ill' })
  Object.assign(lesson, { state: 'cancelled', by: 'hand' })
}

/** Moves it to another hour of its day. */
export const moveLesson = async (desk: Desk, { id, lesson }: Known, hours: number): Promise<void> => {
  const { zone } = desk.school
  const [start, end] = [startOf(lesson, zone), endOf(lesson, zone)].map((instant) =>
    new Date(Date.parse(instant) + hours * 3_600_000).toISOString(),
  ) as [string, string]
  await desk.ask('PATCH', `/sessions/${id}`, { scheduledStart: start, scheduledEnd: end })
  Object.assign(lesson, { moved: { start, end }, isTouched: true })
}

export const noteOnLesson = async (desk: Desk, { id, lesson }: Known): Promise<void> => {
  await desk.ask('PATCH', `/sessions/${id}`, { topic: 'Fractions' })
  lesson.isTouched = true
}

/** Adds a lesson outside the weekly times. */
export const addLesson = async (desk: Desk, group: Group, day: string): Promise<void> => {
  const { school } = desk
  const times = { date: day, startTime: '20:15', endTime: '21:00' }
  const lesson: Lesson = { ...times, moved: null, state: 'scheduled', by: null, isTouched: true }
  const [scheduledStart, scheduledEnd] = [startOf(lesson, school.zone), endOf(lesson, school.zone)]
  await desk.ask('POST', `/groups/${group.id}/sessions`, { scheduledStart, scheduledEnd })
  // It stays at that moment when the zone is set right.
  group.lessons.push({ ...lesson, moved: { start: scheduledStart, end: scheduledEnd } })
}

/** Takes the attendance of a lesson, of all of its roster. */
export const takeAttendance = async (
  desk: Desk,
  { id, group, lesson }: Known,
  statusOf: (student: string) => Mark['status'],
): Promise<void> => {
  const roster = rosterOf(desk.school, group, lesson)
  if (roster.length === 0) return
  const entries = roster.map((studentId) => ({ studentId, status: statusOf(studentId) }))
  await desk.ask('PUT', `/sessions/${id}/attendance`, { entries })
  lesson.state = 'held'
  for (const { studentId: student, status } of entries) {
    desk.school.marks.push({ student, group: group.id, lesson, status })
  }
}

/** Sets the zone right: lessons of the weekly times keep their hour, and days that somebody named stay days. */
export const setZone = async (desk: Desk, zone: string): Promise<void> => {
  await desk.ask('PATCH', '/settings', { timezone: zone })
  await desk.drain()
  desk.school.zone = zone
}
