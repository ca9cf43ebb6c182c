import type { Caller } from './caller.ts'
import { dayFromNow, type Row } from './findings.ts'
import { personName } from './names.ts'

export const STUDENTS = 300
export const GROUPS = 20
const AT_ONCE = 12

/** Reports how far a phase has come. The day waits for it, for example while it kills the server. */
export type Progress = (phase: string, done: number, total: number) => Promise<void> | void

/** Runs `work` for 0…count-1, some at once. */
export const each = async <T>(
  phase: string,
  count: number,
  progress: Progress,
  work: (index: number) => Promise<T>,
): Promise<T[]> => {
  const results: T[] = []
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await work(index)
      done += 1
      await progress(phase, done, count)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

export interface Day {
  students: Row[]
  guardians: Row[]
  groups: Row[]
  sessions: Row[]
  /** The attendance that was marked, of all sessions. */
  marks: { studentId: string; status: string }[]
  invoices: Row[]
  payments: Row[]
  reversal: Row
}

/**
 * A school day through the API: people, groups, a timetable, attendance, invoices, payments and a reversal.
 * @param admitted called as soon as the students are there
 */
export const schoolDay = async (
  caller: Caller,
  branchIds: [string, string],
  progress: Progress,
  admitted: (students: readonly Row[]) => void,
): Promise<Day> => {
  const post = (key: string, path: string, body?: unknown): Promise<Row> => caller.send('POST', path, body, key)
  const put = (key: string, path: string, body: unknown): Promise<Row> => caller.send('PUT', path, body, key)
  const branchOf = (index: number) => branchIds[index % 2] as string

  const students = await each('students', STUDENTS, progress, (index) =>
    post(`student-${index}`, '/students', { branchId: branchOf(index), ...personName(index) }),
  )
  admitted(students)
  const guardians = await each('guardians', STUDENTS, progress, (index) =>
    post(`guardian-${index}`, '/guardians', {
      ...personName(index + 5),
      phone: `+97250${String(1_000_000 + index)}`,
      preferredLocale: ['ar', 'he', 'en'][index % 3],
    }),
  )
  await each('guardian links', STUDENTS, progress, (index) =>
    post(`link-${index}`, `/students/${students[index].id}/guardians`, {
      guardianId: guardians[index].id,
      relationship: index % 2 ? 'father' : 'mother',
      isPrimary: true,
      isPayer: true,
    }),
  )
  await each('active students', STUDENTS, progress, (index) =>
    post(`active-${index}`, `/students/${students[index].id}/status`, { status: 'active' }),
  )

  const category = await post('category', '/course-categories', { name: 'اللغات', slug: 'languages' })
  const courses = await each('courses', 4, progress, (index) =>
    post(`course-${index}`, '/courses', {
      categoryId: category.id,
      name: ['Arabic', 'Hebrew', 'English', 'Mathematics'][index],
      defaultFeeMinor: 45_000,
      currency: 'ILS',
      defaultCapacity: 20,
    }),
  )
  const teachers = await each('staff', 10, progress, (index) =>
    post(`staff-${index}`, '/staff', { branchId: branchOf(index), ...personName(index + 11), title: 'Teacher' }),
  )
  const groups = await each('groups', GROUPS, progress, (index) =>
    post(`group-${index}`, '/groups', {
      courseId: courses[index % 4].id,
      branchId: branchOf(index),
      name: `Group ${index + 1}`,
      teacherStaffId: teachers[index % 10].id,
    }),
  )
  // Enroll before the sessions: a roster has the students who are enrolled when the session begins.
  await each('enrollments', STUDENTS, progress, (index) =>
    post(`enrollment-${index}`, '/enrollments', {
      studentId: students[index].id,
      groupId: groups[index % GROUPS].id,
    }),
  )
  const today = dayFromNow(0)
  await each('timetable', GROUPS, progress, (index) =>
    put(`schedule-${index}`, `/groups/${groups[index].id}/schedules`, {
      schedules: [0, 2].map((day) => ({
        weekday: (index + day) % 7,
        startTime: `${String(14 + (index % 5)).padStart(2, '0')}:00`,
        endTime: `${String(15 + (index % 5)).padStart(2, '0')}:30`,
        validFrom: today,
        validTo: null,
      })),
    }),
  )
  await each('generate', GROUPS, progress, (index) =>
    post(`generate-${index}`, `/groups/${groups[index].id}/sessions/generate`, {}),
  )
  // Attendance is taken on the day of a session, and the timetable may have none today: two of each group begin now.
  const sessions = await each('sessions', 2 * GROUPS, progress, (index) => {
    const start = Date.now() + (1 + (index % 2)) * 60_000
    return post(`session-${index}`, `/groups/${groups[Math.floor(index / 2)].id}/sessions`, {
      scheduledStart: new Date(start).toISOString(),
      scheduledEnd: new Date(start + 45 * 60_000).toISOString(),
    })
  })
  const marks = await each('attendance', sessions.length, progress, async (index) => {
    const session = sessions[index]
    const roster = await caller.get(`/sessions/${session.id}/attendance`)
    const entries: Day['marks'] = roster.entries.map(({ studentId }: Row, place: number) => {
      const status = ['present', 'present', 'present', 'absent', 'late', 'excused'][(place + index) % 6]
      return { studentId, status, ...(status === 'late' && { minutesLate: 7 }) }
    })
    await put(`attendance-${index}`, `/sessions/${session.id}/attendance`, { entries })
    return entries
  })

  const dueDate = dayFromNow(14)
  const drafts = await each('invoices', STUDENTS, progress, (index) =>
    post(`invoice-${index}`, '/invoices', {
      studentId: students[index].id,
      dueDate,
      lines: [
        { description: 'Monthly fee', unitAmountMinor: 45_000, discountMinor: index % 10 === 0 ? 4_500 : 0 },
        { description: 'Books', quantity: 1 + (index % 3), unitAmountMinor: 3_990, taxRatePercent: 18 },
      ],
    }),
  )
  const invoices = await each('issued invoices', STUDENTS, progress, (index) =>
    post(`issue-${index}`, `/invoices/${drafts[index].id}/issue`),
  )
  const payments = await each('payments', 220, progress, (index) =>
    post(`payment-${index}`, `/invoices/${invoices[index].id}/payments`, {
      amountMinor: index % 4 === 3 ? 10_000 : invoices[index].total.amountMinor,
      currency: 'ILS',
      method: ['cash', 'card', 'bank_transfer'][index % 3],
    }),
  )
  const reversal = await post('reversal', `/payments/${payments[0].id}/reverse`, {
    reason: 'Entered for the wrong family',
  })
  return { students, guardians, groups, sessions, marks: marks.flat(), invoices, payments, reversal }
}
