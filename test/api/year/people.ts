import { plusDays } from './days.ts'
import type { Desk } from './desk.ts'
import { byId, type Enrollment, type Group, type School, type Student } from './facts.ts'
import { isPaused, meets } from './lessons.ts'

/** What the office does with students and their places in groups. */

export const hasEnded = ({ to, ending }: Enrollment, today: string): boolean =>
  ending !== null && to !== null && to.day <= today

/** Those that run, without an end that is known. */
export const openEnrollments = ({ school }: Desk): Enrollment[] => school.enrollments.filter(({ to }) => to === null)

export const addStudent = async (desk: Desk, nth: number, payer: string | null): Promise<Student> => {
  const branch = desk.school.branches[nth % 3 === 0 ? 1 : 0] as string
  const person = { branchId: branch, firstName: 'Lian', lastName: `Haddad ${nth}` }
  const { id } = await desk.ask('POST', '/students', person)
  await desk.ask('POST', `/students/${id}/status`, { status: 'active' })
  if (payer !== null) {
    const link = { guardianId: payer, relationship: 'mother', isPrimary: true, isPayer: true }
    await desk.ask('POST', `/students/${id}/guardians`, link)
  }
  const student: Student = { id, branch, status: 'active', leavesOn: null, payer }
  desk.school.students.push(student)
  return student
}

interface Enrolling {
  /** undefined: from now on. */
  day?: string | undefined
  priceMinor?: number | undefined
}

export const keepEnrollment = (
  desk: Desk,
  { id, priceMinor }: { id: string; priceMinor: number },
  { student, group, day, isAgreed }: { student: string; group: Group; day: string | undefined; isAgreed: boolean },
): Enrollment => {
  const from = day === undefined ? desk.moment : { day, instant: null }
  const { id: groupId, currency } = group
  const one: Enrollment = {
    id,
    student,
    group: groupId,
    from,
    to: null,
    ending: null,
    priceMinor,
    currency,
    isAgreed,
  }
  desk.school.enrollments.push(one)
  return one
}

export const enroll = async (
  desk: Desk,
  student: Student,
  group: Group,
  { day, priceMinor }: Enrolling = {},
): Promise<Enrollment> => {
  const body = { studentId: student.id, groupId: group.id, enrolledAt: day, priceMinor }
  const made = await desk.ask('POST', '/enrollments', body)
  return keepEnrollment(
    desk,
    { id: made.id, priceMinor: priceMinor ?? group.feeMinor },
    { student: student.id, group, day, isAgreed: priceMinor !== undefined },
  )
}

/** @param day the last one; undefined: it ends now */
export const drop = async (desk: Desk, one: Enrollment, day?: string): Promise<void> => {
  await desk.ask('POST', `/enrollments/${one.id}/drop`, { reason: 'The family asked', endedAt: day })
  one.to = day === undefined ? desk.moment : { day, instant: null }
  one.ending = 'dropped'
}

export const complete = async (desk: Desk, one: Enrollment): Promise<void> => {
  await desk.ask('POST', `/enrollments/${one.id}/complete`)
  one.to = desk.moment
  one.ending = 'completed'
}

/** @param days where only one is named, the other follows: the last day in a group is the one before the first in the next */
export const move = async (
  desk: Desk,
  one: Enrollment,
  group: Group,
  days: { enrolledAt?: string; endedAt?: string } = {},
): Promise<void> => {
  const former = byId(desk.school.groups, one.group)
  const made = await desk.ask('POST', `/enrollments/${one.id}/move`, { groupId: group.id, ...days })
  const { enrolledAt, endedAt } = days
  const first = enrolledAt ?? (endedAt === undefined ? undefined : plusDays(endedAt, 1))
  const last = endedAt ?? (enrolledAt === undefined ? undefined : plusDays(enrolledAt, -1))
  // What was agreed upon goes along into a group that costs the same.
  const isAgreed = one.isAgreed && former.feeMinor === group.feeMinor && former.currency === group.currency
  keepEnrollment(
    desk,
    { id: made.id, priceMinor: isAgreed ? one.priceMinor : group.feeMinor },
    { student: one.student, group, day: first, isAgreed },
  )
  one.to = last === undefined ? desk.moment : { day: last, instant: null }
  one.ending = 'dropped'
}

/** Ends pauses of a student on a day that run beyond it; those that begin later, up to another, are gone. */
const endPauses = ({ school }: Desk, { id }: Student, day: string, until: string | null): void => {
  school.pauses = school.pauses.filter(
    ({ student, from }) => student !== id || from <= day || (until !== null && from > until),
  )
  for (const pause of school.pauses) {
    if (pause.student === id && pause.from <= day && (pause.to === null || pause.to > day)) pause.to = day
  }
}

/** How students stand in the morning, when what was said of this day has taken effect. */
export const standUp = (desk: Desk): void => {
  const { school, today } = desk
  for (const student of school.students) {
    if (student.leavesOn !== null && student.leavesOn <= today) {
      Object.assign(student, { status: 'withdrawn', leavesOn: null })
      endPauses(desk, student, plusDays(today, -1), null)
    }
    if (student.status !== 'withdrawn') student.status = isPaused(school, student.id, today) ? 'paused' : 'active'
  }
}

/** @param days those of the pause; from today and without an end where they are left out */
export const pause = async (
  desk: Desk,
  student: Student,
  days: { pausedFrom?: string; pausedTo?: string },
): Promise<void> => {
  await desk.ask('POST', `/students/${student.id}/status`, { status: 'paused', ...days })
  const { pausedFrom: from = desk.today, pausedTo: to = null } = days
  endPauses(desk, student, plusDays(from, -1), to)
  desk.school.pauses.push({ student: student.id, from, to })
  standUp(desk)
}

export const comeBack = async (desk: Desk, student: Student): Promise<void> => {
  await desk.ask('POST', `/students/${student.id}/status`, { status: 'active' })
  endPauses(desk, student, plusDays(desk.today, -1), null)
  standUp(desk)
}

/** @param day the last one; undefined: they leave now */
export const withdraw = async (desk: Desk, student: Student, day?: string): Promise<void> => {
  const { school, today } = desk
  await desk.ask('POST', `/students/${student.id}/status`, { status: 'withdrawn', leftOn: day })
  for (const one of school.enrollments.filter((other) => other.student === student.id && !hasEnded(other, today))) {
    const isNeverBegun = day === undefined || one.from.day > day
    if (!isNeverBegun && one.to !== null && one.to.day < day) continue
    Object.assign(one, { to: isNeverBegun ? desk.moment : { day, instant: null }, ending: 'dropped' })
  }
  student.leavesOn = day ?? today
  standUp(desk)
}

export const changeBranch = async (desk: Desk, student: Student, branch: string): Promise<void> => {
  await desk.ask('PATCH', `/students/${student.id}`, { branchId: branch })
  student.branch = branch
}

/** Whether a group takes one more. */
const hasRoom = ({ enrollments }: School, { id, capacity }: Group, today: string): boolean =>
  capacity === null || enrollments.filter((one) => one.group === id && !hasEnded(one, today)).length < capacity

/** The groups in which a student can be enrolled: those that run, and of which the student is in none yet. */
export const groupsFor = ({ school, today }: Desk, student: Student): Group[] =>
  school.groups.filter(
    (group) =>
      meets(group) &&
      group.endsOn > plusDays(today, 7) &&
      hasRoom(school, group, today) &&
      !school.enrollments.some((one) => one.student === student.id && one.group === group.id && !hasEnded(one, today)),
  )
