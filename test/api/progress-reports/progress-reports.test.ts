import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { newExam } from '../examples/exams.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const period = { periodStart: '2026-03-05', periodEnd: '2026-03-10' }
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** Marks the student in a session of the group that begins at that instant. */
const attend = async (groupId: string, studentId: string, scheduledStart: string, status: string) => {
  const scheduledEnd = new Date(Date.parse(scheduledStart) + 3_600_000).toISOString()
  const sessionId = await newSession(institute, groupId, { scheduledStart, scheduledEnd })
  const reply = await takeAttendance(app, owner, sessionId, { entries: [{ studentId, status }] })
  expect(reply.status).toBe(200)
}

/** Enters a score, or an absence, in a published exam of the group. @returns what a report tells of it */
const sit = async (groupId: string, studentId: string, score: number | null, fields: Record<string, unknown> = {}) => {
  const examId = await newExam(institute, groupId, { heldAt: '2026-03-06', ...fields })
  await owner.put(`/exams/${examId}/results`, { results: [{ studentId, score, isAbsent: score === null }] })
  const { title, kind, maxScore, weight } = (await owner.post(`/exams/${examId}/publish`)).body
  return { examId, title, kind, score, maxScore, weight }
}

const newClass = async () => {
  const groupId = await newGroup(institute)
  return { groupId, studentId: await newPupil(institute, groupId, { email: 'pupil@example.org' }) }
}

const draft = async (body: Record<string, unknown>) => (await owner.post('/progress-reports', body)).body

describe('the figures', () => {
  test('are the attendance and the published exams of the period, its first and its last day included', async () => {
    const { groupId, studentId } = await newClass()
    // In Jerusalem the day begins two hours before it does in UTC.
    await attend(groupId, studentId, '2026-03-04T21:59:00.000Z', 'absent')
    await attend(groupId, studentId, '2026-03-04T22:00:00.000Z', 'present')
    await attend(groupId, studentId, '2026-03-06T14:00:00.000Z', 'late')
    await attend(groupId, studentId, '2026-03-07T14:00:00.000Z', 'excused')
    await attend(groupId, studentId, '2026-03-10T21:59:00.000Z', 'absent')
    await attend(groupId, studentId, '2026-03-10T22:00:00.000Z', 'absent')
    await sit(groupId, studentId, 1, { heldAt: '2026-03-04' })
    const last = await sit(groupId, studentId, 15, { heldAt: '2026-03-10', weight: 3 })
    const first = await sit(groupId, studentId, 10, { heldAt: '2026-03-05', maxScore: 12.5 })
    const missed = await sit(groupId, studentId, null, { heldAt: '2026-03-06' })
    await sit(groupId, studentId, 1, { heldAt: '2026-03-11' })
    const { status, body } = await owner.post('/progress-reports', { studentId, groupId, ...period, comment: ' Good ' })
    expect([status, body]).toEqual([
      201,
      {
        id: uuid,
        studentId,
        groupId,
        ...period,
        status: 'draft',
        attendance: { present: 1, absent: 1, late: 1, excused: 1, rate: 66.7 },
        exams: [first, missed, last],
        // (80 + 3 × 75) / 4
        average: 76.3,
        comment: 'Good',
        sentAt: null,
        sentByUserId: null,
        submittedAt: null,
        remark: null,
        version: 1,
        createdAt: app.clock.now(),
        updatedAt: app.clock.now(),
      },
    ])
    expect((await owner.get(`/progress-reports/${body.id}`)).body).toEqual(body)
  })

  test('are of one group, or of all the student’s groups where none is named', async () => {
    const { groupId, studentId } = await newClass()
    const other = await newGroup(institute)
    await owner.post('/enrollments', { studentId, groupId: other })
    await attend(groupId, studentId, '2026-03-06T14:00:00.000Z', 'present')
    await attend(other, studentId, '2026-03-07T14:00:00.000Z', 'absent')
    const one = await sit(groupId, studentId, 20)
    const two = await sit(other, studentId, 10)
    const ofOne = await draft({ studentId, groupId, ...period })
    expect(ofOne).toMatchObject({ attendance: { present: 1, absent: 0, rate: 100 }, exams: [one], average: 100 })
    const ofAll = await draft({ studentId, ...period })
    expect(ofAll).toMatchObject({ groupId: null, attendance: { present: 1, absent: 1, rate: 50 }, average: 75 })
    expect(ofAll.exams).toEqual([one, two])
  })

  test('leave out an exam that is not published; one without a date counts on the day of its publication', async () => {
    const { groupId, studentId } = await newClass()
    const examId = await newExam(institute, groupId, { heldAt: '2026-03-06' })
    await owner.put(`/exams/${examId}/results`, { results: [{ studentId, score: 1 }] })
    await sit(groupId, studentId, 5, { heldAt: null })
    expect((await draft({ studentId, ...period })).exams).toEqual([])
    expect((await draft({ studentId, periodStart: '2026-03-02', periodEnd: '2026-03-02' })).exams).toHaveLength(1)
  })

  test('are null where nothing counts', async () => {
    const { groupId, studentId } = await newClass()
    await sit(groupId, studentId, 0, { maxScore: 0 })
    await sit(groupId, studentId, 5, { weight: 0 })
    expect(await draft({ studentId, ...period })).toMatchObject({ attendance: { rate: null }, average: null })
  })

  test('are computed at creation, and anew for another period; a comment leaves them as they are', async () => {
    const { groupId, studentId } = await newClass()
    const { id } = await draft({ studentId, ...period })
    await attend(groupId, studentId, '2026-03-06T14:00:00.000Z', 'present')
    const patch = async (body: object) => (await owner.patch(`/progress-reports/${id}`, body)).body
    expect(await patch({ comment: 'Good' })).toMatchObject({ attendance: { present: 0 }, version: 2 })
    expect(await patch({ periodEnd: '2026-03-11' })).toMatchObject({ attendance: { present: 1 }, version: 3 })
    expect(await patch({ periodEnd: '2026-03-11' })).toMatchObject({ version: 3 })
    expect(await patch({ periodEnd: '2026-03-05', groupId })).toMatchObject({ attendance: { present: 0 }, groupId })
    expect(await patch({ groupId: null, comment: null })).toMatchObject({ groupId: null, comment: null })
  })
})

describe('sending', () => {
  test('freezes the report as it was reviewed, and tells of it once', async () => {
    const { groupId, studentId } = await newClass()
    const report = await draft({ studentId, ...period })
    await attend(groupId, studentId, '2026-03-06T14:00:00.000Z', 'present')
    app.clock.advance(60)
    const sentAt = app.clock.now()
    const sent = await owner.post(`/progress-reports/${report.id}/send`)
    expect([sent.status, sent.body]).toEqual([
      200,
      { ...report, status: 'sent', sentAt, sentByUserId: institute.ownerUserId, version: 2, updatedAt: sentAt },
    ])
    const refused = [
      await owner.post(`/progress-reports/${report.id}/send`),
      await owner.patch(`/progress-reports/${report.id}`, { comment: 'Late' }),
      await owner.delete(`/progress-reports/${report.id}`),
    ]
    expect(refused.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual(Array(3).fill('409 CONFLICT'))
    expect((await owner.get(`/progress-reports/${report.id}`)).body).toEqual(sent.body)
    const events = await eventsOf(app, institute, 'progress_report.sent')
    expect(events.filter((data) => data.progressReportId === report.id)).toEqual([
      { progressReportId: report.id, studentId, sentAt },
    ])
  })

  test('of two at once one wins', async () => {
    const id = await newReport(institute)
    const replies = await Promise.all([1, 2].map(() => owner.post(`/progress-reports/${id}/send`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const events = await eventsOf(app, institute, 'progress_report.sent')
    expect(events.filter((data) => data.progressReportId === id)).toHaveLength(1)
  })
})

test('a draft can be deleted, and its version is compared', async () => {
  const id = await newReport(institute)
  const refused = await owner.patch(`/progress-reports/${id}`, { comment: 'Good', version: 2 })
  expect(refused.body.error).toMatchObject({ code: 'VERSION_CONFLICT', details: { expected: 2, current: 1 } })
  expect((await owner.delete(`/progress-reports/${id}`)).body).toEqual({ ok: true })
  expect((await owner.get(`/progress-reports/${id}`)).status).toBe(404)
})

test.each([
  [{ periodEnd: '2026-03-04' }, 422],
  [{ periodStart: '2026-02-30' }, 422],
  [{ periodEnd: undefined }, 422],
  [{ studentId: unknown }, 404],
  [{ groupId: unknown }, 404],
])('%j is %i', async (fields, status) => {
  const { studentId } = await newClass()
  expect((await owner.post('/progress-reports', { studentId, ...period, ...fields })).status).toBe(status)
})

test('a group in which the student never was is 422', async () => {
  const { studentId } = await newClass()
  const reply = await owner.post('/progress-reports', { studentId, groupId: await newGroup(institute), ...period })
  expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, ['groupId']])
})

test('the list is newest first, and is narrowed by student, group and status', async () => {
  const { groupId, studentId } = await newClass()
  const whole = await newReport(institute, { studentId })
  const ofGroup = await newReport(institute, { studentId, groupId })
  await owner.post(`/progress-reports/${whole}/send`)
  const ids = async (query: string) =>
    (await owner.get(`/progress-reports?studentId=${studentId}${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([ofGroup, whole])
  expect(await ids(`&groupId=${groupId}`)).toEqual([ofGroup])
  expect(await ids('&status=sent')).toEqual([whole])
})

test('under a role for one branch the reports of its students are reached; parents and students reach none', async () => {
  const south = (await owner.post('/branches', { name: 'South' })).body.id
  const north = await newReport(institute)
  const mine = await newReport({ owner, branchId: south })
  const manager = await institute.member({ role: 'branch_manager', branchId: south })
  expect((await manager.get('/progress-reports')).body.data.map(({ id }: { id: string }) => id)).toEqual([mine])
  expect((await manager.post(`/progress-reports/${north}/send`)).status).toBe(404)
  expect((await manager.post(`/progress-reports/${mine}/send`)).status).toBe(200)
  for (const role of ['guardian', 'student', 'front_desk'] as const) {
    const member = await institute.member({ role })
    expect((await member.get(`/progress-reports/${mine}`)).status).toBe(403)
  }
})
