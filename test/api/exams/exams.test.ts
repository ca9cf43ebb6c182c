import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newExam } from '../examples/exams.ts'
import { newGroup, newPupil, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const enter = (examId: string, results: unknown, client: Client = owner) =>
  client.put(`/exams/${examId}/results`, { results })
const messages = (body: { error: { details: { issues: { path: string[]; message: string }[] } } }) =>
  body.error.details.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

/** A group with two students and an exam of 20 points. */
const newClass = async (fields: Record<string, unknown> = {}) => {
  const groupId = await newGroup(institute)
  const pupils = [await newPupil(institute, groupId), await newPupil(institute, groupId)] as const
  return { groupId, pupils, examId: await newExam(institute, groupId, fields) }
}

describe('the exams of a group', () => {
  test('an exam has the contract’s fields; weight is 1 and heldAt null unless they are given', async () => {
    const groupId = await newGroup(institute)
    const { status, body } = await owner.post(`/groups/${groupId}/exams`, {
      title: '  Unit 1  ',
      kind: 'quiz',
      maxScore: 20,
    })
    const now = app.clock.now()
    const exam = {
      id: uuid,
      groupId,
      title: 'Unit 1',
      kind: 'quiz',
      maxScore: 20,
      weight: 1,
      heldAt: null,
      publishedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    expect([status, body]).toEqual([201, exam])
    expect((await owner.get(`/exams/${body.id}`)).body).toEqual(body)
    const later = await newExam(institute, groupId, {
      kind: 'final',
      maxScore: 12.5,
      weight: 0.25,
      heldAt: '2026-03-08',
    })
    const listed = (await owner.get(`/groups/${groupId}/exams`)).body
    expect(listed).toEqual({ data: [{ ...exam, ...listed.data[0] }, body], nextCursor: null })
    expect(listed.data[0]).toMatchObject({
      id: later,
      kind: 'final',
      maxScore: 12.5,
      weight: 0.25,
      heldAt: '2026-03-08',
    })
  })

  test.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ kind: 'oral' }, 'kind'],
    [{ maxScore: -1 }, 'maxScore'],
    [{ maxScore: '20' }, 'maxScore'],
    [{ maxScore: undefined }, 'maxScore'],
    [{ weight: -0.1 }, 'weight'],
    [{ heldAt: '2026-02-30' }, 'heldAt'],
  ])('%j is 422', async (fields, field) => {
    const groupId = await newGroup(institute)
    const { status, body } = await owner.post(`/groups/${groupId}/exams`, {
      title: 'Unit 1',
      kind: 'quiz',
      maxScore: 20,
      ...fields,
    })
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(messages(body)).toEqual([expect.stringMatching(new RegExp(`^${field}: `))])
  })

  test('an unknown group or exam is 404', async () => {
    const body = { title: 'Unit 1', kind: 'quiz', maxScore: 20 }
    expect((await owner.get(`/groups/${unknown}/exams`)).status).toBe(404)
    expect((await owner.post(`/groups/${unknown}/exams`, body)).status).toBe(404)
    expect((await owner.get(`/exams/${unknown}`)).status).toBe(404)
    expect((await enter(unknown, [])).status).toBe(404)
  })

  test('maxScore does not drop below a score that was entered (409)', async () => {
    const { examId, pupils } = await newClass()
    await enter(examId, [{ studentId: pupils[0], score: 17.5 }])
    const refused = await owner.patch(`/exams/${examId}`, { maxScore: 17 })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(refused.body.error.details).toMatchObject({ maxScore: 17, highest: 17.5 })
    expect((await owner.get(`/exams/${examId}`)).body.maxScore).toBe(20)
    expect((await owner.patch(`/exams/${examId}`, { maxScore: 17.5, heldAt: null })).body.maxScore).toBe(17.5)
  })

  test('an exam with results is not deleted (409), one without is', async () => {
    const { examId, groupId, pupils } = await newClass()
    await enter(examId, [{ studentId: pupils[0], score: null, isAbsent: true }])
    expect((await owner.delete(`/exams/${examId}`)).status).toBe(409)
    const empty = await newExam(institute, groupId)
    expect(await owner.delete(`/exams/${empty}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await owner.get(`/exams/${empty}`)).status).toBe(404)
  })
})

describe('publication', () => {
  test('happens once, with its event; a second one is 409', async () => {
    const { examId, groupId } = await newClass()
    const publishedAt = app.clock.now()
    const { status, body } = await owner.post(`/exams/${examId}/publish`)
    expect([status, body.publishedAt]).toEqual([200, publishedAt])
    const again = await owner.post(`/exams/${examId}/publish`)
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
    const events = (await eventsOf(app, institute, 'exam.published')).filter((data) => data.examId === examId)
    expect(events).toEqual([{ examId, groupId, title: 'Unit 1', publishedAt }])
  })

  test('of two at once one wins', async () => {
    const { examId } = await newClass()
    const replies = await Promise.all([1, 2].map(() => owner.post(`/exams/${examId}/publish`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const events = (await eventsOf(app, institute, 'exam.published')).filter((data) => data.examId === examId)
    expect(events).toHaveLength(1)
  })
})

describe('PUT /exams/{id}/results', () => {
  test('adds results and changes them in place; who is not named keeps theirs', async () => {
    const { examId, pupils } = await newClass()
    const createdAt = app.clock.now()
    const first = await enter(examId, [
      { studentId: pupils[1], score: 12.25, isAbsent: false, remarks: 'Good' },
      { studentId: pupils[0], score: null, isAbsent: true },
    ])
    const result = { id: uuid, examId, gradedByUserId: institute.ownerUserId, createdAt, updatedAt: createdAt }
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      data: [
        { ...result, studentId: pupils[1], score: 12.25, isAbsent: false, remarks: 'Good' },
        { ...result, studentId: pupils[0], score: null, isAbsent: true, remarks: null },
      ],
    })
    app.clock.advance(60)
    const second = await enter(examId, [{ studentId: pupils[0], score: 20 }])
    const changed = { ...first.body.data[1], score: 20, isAbsent: false, updatedAt: app.clock.now() }
    expect(second.body).toEqual({ data: [changed] })
    const { data } = (await owner.get(`/exams/${examId}/results`)).body
    const student = { studentNumber: expect.any(String), firstName: 'Pupil', lastName: expect.any(String) }
    expect(data).toEqual([
      { ...student, ...first.body.data[0] },
      { ...student, ...changed },
    ])
  })

  test('a result that is sent as it is stays untouched', async () => {
    const { examId, pupils } = await newClass()
    const before = await enter(examId, [{ studentId: pupils[0], score: 9 }])
    app.clock.advance(60)
    const grader = await institute.member({ permissions: ['exams.write'] })
    const again = await enter(examId, [{ studentId: pupils[0], score: 9, remarks: '' }], grader)
    expect(again.body).toEqual(before.body)
  })

  test.each([
    ['a score above maxScore', { score: 20.5 }, 'results.0.score: Must be at most 20.'],
    ['a score below 0', { score: -1 }, 'results.0.score: Must be at least 0.'],
    ['no score of somebody who was there', { score: null }, 'results.0.score: Is required unless isAbsent is true.'],
    [
      'remarks that are too long',
      { score: 1, remarks: 'x'.repeat(1001) },
      'results.0.remarks: Must have at most 1000 characters.',
    ],
  ])('%s is 422 and nothing is kept', async (_, fields, message) => {
    const { examId, pupils } = await newClass()
    const { status, body } = await enter(examId, [
      { studentId: pupils[0], ...fields },
      { studentId: pupils[1], score: 3 },
    ])
    expect(status).toBe(422)
    expect(messages(body)).toEqual([message])
    const { data } = (await owner.get(`/exams/${examId}/results`)).body
    expect(data.map(({ id }: { id: string | null }) => id)).toEqual([null, null])
  })

  test('a student of another group, an unknown one and one who is named twice are 422', async () => {
    const { examId, pupils } = await newClass()
    const stranger = await newPupil(institute, await newGroup(institute))
    const refused = await enter(examId, [
      { studentId: pupils[0], score: 1 },
      { studentId: stranger, score: 1 },
      { studentId: unknown, score: 1 },
    ])
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(messages(refused.body).map((message) => message.split(':')[0])).toEqual([
      'results.1.studentId',
      'results.2.studentId',
    ])
    const twice = await enter(
      examId,
      [pupils[0], pupils[0]].map((studentId) => ({ studentId, score: 1 })),
    )
    expect(messages(twice.body)).toEqual(['results.1.studentId: Must not name a student twice.'])
  })

  test('whoever dropped the group before the exam is not on its roster; on its day or later they are', async () => {
    const { groupId, pupils } = await newClass()
    const { data: enrollments } = (await owner.get(`/groups/${groupId}/enrollments`)).body
    const enrollment = enrollments.find(({ studentId }: { studentId: string }) => studentId === pupils[0])
    await owner.post(`/enrollments/${enrollment.id}/drop`, {})
    const status = async (heldAt: string | null) =>
      (await enter(await newExam(institute, groupId, { heldAt }), [{ studentId: pupils[0], score: 1 }])).status
    expect(await status('2026-03-02')).toBe(200)
    expect(await status('2026-03-03')).toBe(422)
    // Without a date it is of the day on which it is made: that on which they left.
    expect(await status(null)).toBe(200)
  })

  test('a result of somebody who left since can be corrected', async () => {
    const { groupId, examId, pupils } = await newClass()
    await enter(examId, [{ studentId: pupils[0], score: 5 }])
    const { data: enrollments } = (await owner.get(`/groups/${groupId}/enrollments`)).body
    const enrollment = enrollments.find(({ studentId }: { studentId: string }) => studentId === pupils[0])
    await owner.post(`/enrollments/${enrollment.id}/drop`, {})
    expect((await enter(examId, [{ studentId: pupils[0], score: 6 }])).body.data[0].score).toBe(6)
  })

  test('leaves an audit entry with what was and what is', async () => {
    const { examId, pupils } = await newClass()
    await enter(examId, [{ studentId: pupils[0], score: 5 }])
    const entry = (await auditOf(app, institute, 'exams.enter-results')).find((one) => one.entity_id === examId)
    expect(entry).toMatchObject({ entity_type: 'exam', before: { data: [] }, after: { data: [{ score: 5 }] } })
  })
})

test('GET /exams/{id}/results is a page of the roster', async () => {
  const { examId, pupils } = await newClass()
  const first = (await owner.get(`/exams/${examId}/results?limit=1`)).body
  const second = (await owner.get(`/exams/${examId}/results?limit=1&cursor=${first.nextCursor}`)).body
  expect([...first.data, ...second.data].map(({ studentId }) => studentId)).toEqual([pupils[1], pupils[0]])
  expect(first.data[0]).toMatchObject({ id: null, score: null, isAbsent: false, remarks: null, updatedAt: null })
  expect(second.nextCursor).toBeNull()
})

test('GET /students/{id}/exam-results lists results with their exams, newest first', async () => {
  const { groupId, examId, pupils } = await newClass()
  await enter(examId, [{ studentId: pupils[0], score: 5 }])
  app.clock.advance(60)
  const final = await newExam(institute, groupId, { kind: 'final' })
  const [result] = (await enter(final, [{ studentId: pupils[0], score: 7 }])).body.data
  const { data } = (await owner.get(`/students/${pupils[0]}/exam-results`)).body
  const { createdAt: _created, updatedAt: _updated, ...exam } = (await owner.get(`/exams/${final}`)).body
  const { name: groupName } = (await owner.get(`/groups/${groupId}`)).body
  expect(data).toEqual([{ ...result, groupName, exam }, expect.objectContaining({ examId, score: 5 })])
})

test('a teacher reaches the exams of their own groups and no others', async () => {
  const teacher = await institute.member({ role: 'teacher' })
  const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
  const own = await newGroup(institute, { teacherStaffId })
  const pupil = await newPupil(institute, own)
  const { examId: other, groupId, pupils } = await newClass()
  const exam = await teacher.post(`/groups/${own}/exams`, { title: 'Unit 1', kind: 'quiz', maxScore: 20 })
  expect(exam.status).toBe(201)
  expect((await enter(exam.body.id, [{ studentId: pupil, score: 5 }], teacher)).body.data[0].gradedByUserId).toBe(
    teacher.userId,
  )
  expect((await teacher.get(`/students/${pupil}/exam-results`)).body.data).toHaveLength(1)
  const refused = [
    await teacher.get(`/groups/${groupId}/exams`),
    await teacher.get(`/exams/${other}`),
    await teacher.get(`/exams/${other}/results`),
    await teacher.patch(`/exams/${other}`, { title: 'Mine' }),
    await teacher.post(`/exams/${other}/publish`),
    await teacher.delete(`/exams/${other}`),
    await enter(other, [{ studentId: pupils[0], score: 5 }], teacher),
  ]
  expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(404))
})
