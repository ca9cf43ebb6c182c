import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { newGrant, newLesson, newSection } from '../examples/curriculum.ts'
import { newResult } from '../examples/exams.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil, newStaff } from '../examples/sessions.ts'

/**
 * What people see of exams, reports, fees, video courses, their own day and the search. A teacher has groups.read,
 * students.read, attendance.mark, exams.write and curriculum.read, for the groups they teach or substitute only; a
 * branch manager all but roles, settings, integration, members and audit, for the records of their branch; students and
 * guardians have no permission, only /me and what concerns them.
 */

let app: TestApp
let institute: TestInstitute
let people: Record<'teacher' | 'manager' | 'guardian' | 'student', TestMember>

/** A group with its student, an exam with a result, a report, a course with a lesson, and the family’s invoice. */
const newClass = async (branchId: string, teacherStaffId?: string) => {
  const place = { owner: institute.owner, branchId }
  const groupId = await newGroup(place, teacherStaffId ? { teacherStaffId } : {})
  const studentId = await newPupil(place, groupId, { firstName: 'Shahar' })
  const { courseId } = (await institute.owner.get(`/groups/${groupId}`)).body
  const lessonId = await newLesson(place, await newSection(place, courseId))
  await institute.owner.post(`/lessons/${lessonId}/publish`)
  const { body: exam } = await institute.owner.post(`/groups/${groupId}/exams`, {
    title: 'Unit 1',
    kind: 'quiz',
    maxScore: 20,
  })
  const reportId = await newReport(place, { studentId })
  const guardian = await institute.owner.post('/guardians', {
    firstName: 'Ruth',
    lastName: 'Levi',
    phone: `+97250${studentId.replaceAll(/\D/g, '').slice(-7).padStart(7, '1')}`,
  })
  const link = { guardianId: guardian.body.id, relationship: 'mother', isPrimary: true, isPayer: true }
  expect((await institute.owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  return { groupId, studentId, courseId, lessonId, examId: exam.id as string, reportId, guardianId: guardian.body.id }
}
type Class = Awaited<ReturnType<typeof newClass>>

let own: Class
let other: Class
let feeScheduleId: string

const stand = (table: 'student' | 'guardian', id: string, { userId }: TestMember) =>
  linkAccount(app, table, { id, userId })

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  const { branchId, owner } = institute
  const south = (await owner.post('/branches', { name: 'South' })).body.id as string
  people = {
    teacher: await institute.member({ role: 'teacher' }),
    manager: await institute.member({ role: 'branch_manager', branchId }),
    guardian: await institute.member({ role: 'guardian' }),
    student: await institute.member({ role: 'student' }),
  }
  own = await newClass(branchId, await newStaff(institute, { userId: people.teacher.userId }))
  other = await newClass(south)
  await stand('student', own.studentId, people.student)
  await stand('guardian', own.guardianId, people.guardian)
  await newGrant(institute, own.courseId, own.studentId)
  feeScheduleId = await newFeeSchedule(institute)
  await newResult(institute)
})
afterAll(() => app.close())

type Ask = (client: TestMember) => Promise<{ status: number }>
type Line = [what: string, ask: Ask, teacher: number, manager: number, guardian: number, student: number]

const get =
  (path: () => string): Ask =>
  (client) =>
    client.get(path())
const post =
  (path: () => string, body?: () => object): Ask =>
  (client) =>
    client.post(path(), body?.())

const week = 'from=2026-03-01&to=2026-03-07'
const exam = { title: 'Unit 2', kind: 'quiz', maxScore: 10 }
const fee = { name: 'Tuition', kind: 'per_group', amountMinor: 1, currency: 'ILS', recurrence: 'monthly' }

/** Statuses: 200 and 201 seen or done, 403 without the permission, 404 out of reach. */
const LINES: Line[] = [
  ['the exams of the group', get(() => `/groups/${own.groupId}/exams`), 200, 200, 403, 403],
  ['those of a group elsewhere', get(() => `/groups/${other.groupId}/exams`), 404, 404, 403, 403],
  ['an exam', get(() => `/exams/${own.examId}`), 200, 200, 403, 403],
  ['its results', get(() => `/exams/${own.examId}/results`), 200, 200, 403, 403],
  ['results elsewhere', get(() => `/exams/${other.examId}/results`), 404, 404, 403, 403],
  [
    'to add an exam',
    post(
      () => `/groups/${own.groupId}/exams`,
      () => exam,
    ),
    201,
    201,
    403,
    403,
  ],
  [
    'to add one elsewhere',
    post(
      () => `/groups/${other.groupId}/exams`,
      () => exam,
    ),
    404,
    404,
    403,
    403,
  ],
  ['to publish an exam elsewhere', post(() => `/exams/${other.examId}/publish`), 404, 404, 403, 403],
  ['the exam results of the student', get(() => `/students/${own.studentId}/exam-results`), 200, 200, 403, 403],
  ['of a student elsewhere', get(() => `/students/${other.studentId}/exam-results`), 404, 404, 403, 403],
  ['progress reports', get(() => '/progress-reports'), 200, 200, 403, 403],
  ['a report', get(() => `/progress-reports/${own.reportId}`), 404, 200, 403, 403],
  ['a report elsewhere', get(() => `/progress-reports/${other.reportId}`), 404, 404, 403, 403],
  ['to send a report elsewhere', post(() => `/progress-reports/${other.reportId}/send`), 404, 404, 403, 403],
  ['fee schedules', get(() => '/fee-schedules'), 403, 200, 403, 403],
  ['a fee schedule', get(() => `/fee-schedules/${feeScheduleId}`), 403, 200, 403, 403],
  [
    'to add a fee schedule',
    post(
      () => '/fee-schedules',
      () => fee,
    ),
    403,
    403,
    403,
    403,
  ],
  [
    'to try a billing run',
    post(
      () => '/billing/runs',
      () => ({ month: '2026-03', dryRun: true }),
    ),
    403,
    200,
    403,
    403,
  ],
  ['the statement of the student', get(() => `/students/${own.studentId}/statement`), 403, 200, 403, 403],
  ['a statement elsewhere', get(() => `/students/${other.studentId}/statement`), 403, 404, 403, 403],
  ['the summary of the family', get(() => `/guardians/${own.guardianId}/family-summary`), 403, 200, 403, 403],
  ['of a family elsewhere', get(() => `/guardians/${other.guardianId}/family-summary`), 403, 404, 403, 403],
  ['the dashboard', get(() => '/dashboard'), 403, 200, 403, 403],
  ['the curriculum of the group’s course', get(() => `/courses/${own.courseId}/curriculum`), 200, 200, 403, 403],
  // A course belongs to no branch; a teacher reads those of the own groups.
  ['of another course', get(() => `/courses/${other.courseId}/curriculum`), 404, 200, 403, 403],
  ['a lesson', get(() => `/lessons/${own.lessonId}`), 200, 200, 403, 403],
  ['a lesson of another course', get(() => `/lessons/${other.lessonId}`), 404, 200, 403, 403],
  [
    'to add a section',
    post(
      () => `/courses/${own.courseId}/sections`,
      () => ({ title: 'A' }),
    ),
    403,
    403,
    403,
    403,
  ],
  ['who was given the course', get(() => `/courses/${own.courseId}/enrollments`), 403, 200, 403, 403],
  ['how far they are', get(() => `/courses/${own.courseId}/progress`), 200, 200, 403, 403],
  ['the search', get(() => '/search?q=shahar'), 200, 200, 200, 200],
  ['their own schedule', get(() => `/me/schedule?${week}`), 200, 200, 200, 200],
  ['what they teach today', get(() => '/me/teaching/today'), 200, 200, 200, 200],
  ['their own attendance', get(() => '/me/attendance'), 200, 200, 200, 200],
  ['the student’s attendance', get(() => `/me/attendance?studentId=${own.studentId}`), 404, 404, 200, 200],
  ['another student’s', get(() => `/me/attendance?studentId=${other.studentId}`), 404, 404, 404, 404],
  ['their own family', get(() => '/me/family'), 200, 200, 200, 200],
  ['the group’s attendance as a grid', get(() => `/groups/${own.groupId}/attendance`), 200, 200, 403, 403],
  ['that of another group', get(() => `/groups/${other.groupId}/attendance`), 404, 404, 403, 403],
  ['the student’s files', get(() => `/files/of/student/${own.studentId}`), 403, 200, 200, 200],
  ['another student’s files', get(() => `/files/of/student/${other.studentId}`), 403, 404, 403, 403],
  ['their own courses', get(() => '/me/courses'), 200, 200, 200, 200],
  ['the course as its learner', get(() => `/me/courses/${own.courseId}`), 404, 404, 404, 200],
  ['a course that nobody gave them', get(() => `/me/courses/${other.courseId}`), 404, 404, 404, 404],
  ['to report a lesson', post(() => `/me/lessons/${own.lessonId}/complete`), 404, 404, 404, 200],
  ['to report one elsewhere', post(() => `/me/lessons/${other.lessonId}/complete`), 404, 404, 404, 404],
]

test.each(LINES)('%s', async (_, ask, teacher, manager, guardian, student) => {
  const seen: Record<string, number> = {}
  for (const [name, client] of Object.entries(people)) seen[name] = (await ask(client)).status
  expect(seen).toEqual({ teacher, manager, guardian, student })
})

describe('lists hold what is within reach', () => {
  const ids = async (client: TestMember, path: string, field = 'id') => {
    const { data = [], results = data } = (await client.get(path)).body
    return results.map((one: Record<string, string>) => one[field])
  }

  test('progress reports', async () => {
    expect(await ids(people.manager, '/progress-reports')).toEqual([own.reportId])
  })

  test('the search', async () => {
    const found = (client: TestMember) => ids(client, '/search?q=shahar')
    expect(await found(people.teacher)).toEqual([own.studentId])
    expect(await found(people.manager)).toEqual([own.studentId])
    expect(await found(people.guardian)).toEqual([])
    expect(await found(people.student)).toEqual([])
  })

  test('one’s own courses', async () => {
    expect(await ids(people.student, '/me/courses', 'courseId')).toEqual([own.courseId])
    expect(await ids(people.guardian, '/me/courses', 'courseId')).toEqual([])
  })
})
