import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newExam } from '../examples/exams.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

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

/** A group with two students, a quiz of 20 points and, later, a final of 100 that counts three times. */
const newClass = async () => {
  const groupId = await newGroup(institute)
  const pupils = [
    await newPupil(institute, groupId, { firstName: 'Ziad', lastName: 'Abbas' }),
    await newPupil(institute, groupId, { firstName: 'Amal', lastName: 'Zoabi' }),
  ] as const
  const final = await newExam(institute, groupId, {
    title: 'Final',
    kind: 'final',
    maxScore: 100,
    weight: 3,
    heldAt: '2026-03-03',
  })
  const quiz = await newExam(institute, groupId, { heldAt: '2026-03-02' })
  return { groupId, pupils, quiz, final }
}

const enter = (groupId: string, exams: unknown) => owner.put(`/groups/${groupId}/gradebook`, { exams })
const read = async (groupId: string) => (await owner.get(`/groups/${groupId}/gradebook`)).body

test('students stand beside exams, with averages by weight of both', async () => {
  const { groupId, pupils, quiz, final } = await newClass()
  const [ziad, amal] = pupils
  const { status, body } = await enter(groupId, [
    {
      examId: quiz,
      results: [
        { studentId: ziad, score: 17.5, remarks: 'Good' },
        { studentId: amal, isAbsent: true },
      ],
    },
    { examId: final, results: [{ studentId: ziad, score: 80 }] },
  ])
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.data.map((result: { examId: string; studentId: string }) => [result.examId, result.studentId])).toEqual([
    [quiz, ziad],
    [quiz, amal],
    [final, ziad],
  ])
  const book = await read(groupId)
  expect(book.exams).toMatchObject([
    { id: quiz, entered: 2, missing: 0, average: 17.5 },
    { id: final, entered: 1, missing: 1, average: 80 },
  ])
  const now = app.clock.now()
  expect(book.students).toMatchObject([
    {
      studentId: ziad,
      fullName: 'Ziad Abbas',
      // (1 × 17.5/20 + 3 × 80/100) / 4
      average: 81.9,
      results: [
        { score: 17.5, isAbsent: false, remarks: 'Good', updatedAt: now },
        { score: 80, isAbsent: false, remarks: null, updatedAt: now },
      ],
    },
    {
      studentId: amal,
      average: null,
      results: [
        { score: null, isAbsent: true, remarks: null, updatedAt: now },
        { score: null, isAbsent: false, remarks: null, updatedAt: null },
      ],
    },
  ])
})

test('who joined after an exam has no place in it, and who left keeps theirs', async () => {
  const { groupId, pupils } = await newClass()
  const earlier = await newExam(institute, groupId, { title: 'Before', heldAt: '2026-02-01' })
  const book = await read(groupId)
  expect(book.exams[0].id).toBe(earlier)
  expect(book.students.map(({ results }: { results: unknown[] }) => results[0])).toEqual([null, null])
  const [, amal] = pupils
  const { body } = await owner.get(`/students/${amal}/enrollments`)
  expect((await owner.delete(`/enrollments/${body.data[0].id}`)).status).toBe(200)
  const after = await read(groupId)
  expect(after.students.map(({ studentId }: { studentId: string }) => studentId)).not.toContain(amal)
})

test('a result without score, absence and remarks takes away what was entered', async () => {
  const { groupId, pupils, quiz } = await newClass()
  await enter(groupId, [{ examId: quiz, results: [{ studentId: pupils[0], score: 12 }] }])
  const cleared = await enter(groupId, [
    { examId: quiz, results: [{ studentId: pupils[0] }, { studentId: pupils[1] }] },
  ])
  expect(cleared).toMatchObject({ status: 200, body: { data: [] } })
  expect((await read(groupId)).students[0].results[0]).toEqual({
    score: null,
    isAbsent: false,
    remarks: null,
    updatedAt: null,
  })
  const entry = (await auditOf(app, institute, 'exams.enter-gradebook')).findLast((one) => one.entity_id === quiz)
  expect(entry).toMatchObject({ before: { data: [{ score: 12 }] }, after: { data: [] } })
  const refused = await enter(groupId, [{ examId: quiz, results: [{ studentId: pupils[0], remarks: 'Ill' }] }])
  expect(refused.status).toBe(422)
})

test('all or none: a score above the maximum, a stranger, an exam of another group, one named twice', async () => {
  const { groupId, pupils, quiz, final } = await newClass()
  const other = await newClass()
  const good = { examId: quiz, results: [{ studentId: pupils[0], score: 12 }] }
  const bad = [
    { examId: final, results: [{ studentId: pupils[0], score: 100.5 }] },
    { examId: final, results: [{ studentId: other.pupils[0], score: 50 }] },
    { examId: other.quiz, results: [{ studentId: other.pupils[0], score: 5 }] },
    good,
  ]
  for (const one of bad) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await enter(groupId, [good, one])).status, JSON.stringify(one)).toBe(422)
  }
  const stranger = await enter(groupId, [good, bad[1]])
  expect(stranger.body.error.details).toMatchObject({
    reason: 'not_in_group',
    issues: [{ path: ['exams', '1', 'results', '0', 'studentId'] }],
  })
  expect((await read(groupId)).exams.map(({ entered }: { entered: number }) => entered)).toEqual([0, 0])
})

test('a result that somebody changed since it was seen is refused, and shown as it stands', async () => {
  const { groupId, pupils, quiz } = await newClass()
  const cell = (score: number, seenAt: string | null) => [
    { examId: quiz, results: [{ studentId: pupils[0], score, seenAt }] },
  ]
  expect((await enter(groupId, cell(12, null))).status).toBe(200)
  const stands = {
    examId: quiz,
    studentId: pupils[0],
    score: 12,
    isAbsent: false,
    remarks: null,
    updatedAt: app.clock.now(),
  }
  const refused = await enter(groupId, cell(13, null))
  expect([refused.status, refused.body.error.code]).toEqual([409, 'VERSION_CONFLICT'])
  expect(refused.body.error.details).toMatchObject({ reason: 'results_changed', results: [stands] })
  // The same again, as after a reply that was lost, is no conflict.
  expect((await enter(groupId, cell(12, null))).status).toBe(200)
  expect((await enter(groupId, cell(13, stands.updatedAt))).status).toBe(200)
})

test('two who enter the same cells at once wait for each other: the second is told', async () => {
  const { groupId, pupils, quiz, final } = await newClass()
  const sheet = (score: number, order: readonly string[]) =>
    order.map((examId) => ({ examId, results: pupils.map((studentId) => ({ studentId, score, seenAt: null })) }))
  const replies = await Promise.all([
    enter(groupId, sheet(11, [quiz, final])),
    enter(groupId, sheet(12, [final, quiz])),
  ])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const scores = (await read(groupId)).students.flatMap(({ results }: { results: { score: number }[] }) =>
    results.map(({ score }) => score),
  )
  expect(new Set(scores).size).toBe(1)
})
