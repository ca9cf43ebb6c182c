import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { announced, local, png, stored, upload, uploaded } from '#kit/files.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { newExam } from '../examples/exams.ts'
import { newGroup, newPupil, newSession, newStaff, twiceAWeek } from '../examples/sessions.ts'

let app: TestApp
let school: TestInstitute
let owner: Client
beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
  school = await makeInstitute(app)
  owner = school.owner
})
afterAll(() => app.close())

const FORBIDDEN = { status: 403, body: { error: { code: 'FORBIDDEN' } } }
const MISSING = { status: 404, body: { error: { code: 'NOT_FOUND' } } }
const times = { scheduledStart: '2026-03-02T14:00:00.000Z', scheduledEnd: '2026-03-02T15:30:00.000Z' }
const worksheet = { kind: 'attachment', originalName: 'worksheet.png' }

/** Somebody whose account stands behind a new guardian of the student. */
const parentOf = async (studentId: string, sight: object = {}): Promise<TestMember> => {
  const member = await school.member({ role: 'guardian' })
  const { body: guardian } = await owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: phone() })
  await linkAccount(app, 'guardian', { id: guardian.id, userId: member.userId })
  const link = { guardianId: guardian.id, relationship: 'mother', isPrimary: false, isPayer: false, ...sight }
  expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  return member
}
let phones = 0
const phone = (): string => `+9725012${String((phones += 1)).padStart(5, '0')}`

/** A teacher, a lesson and an exam of their group, and a pupil in it with a parent. */
const newClass = async () => {
  const teacher = await school.member({ role: 'teacher' })
  const groupId = await newGroup(school, { teacherStaffId: await newStaff(school, { userId: teacher.userId }) })
  const studentId = await newPupil(school, groupId)
  const student = await school.member({ role: 'student' })
  await linkAccount(app, 'student', { id: studentId, userId: student.userId })
  return {
    teacher,
    groupId,
    studentId,
    student,
    parent: await parentOf(studentId),
    sessionId: await newSession(school, groupId, times),
    examId: await newExam(school, groupId, { heldAt: '2026-03-02' }),
  }
}

const ids = async (client: Client, type: string, id: string): Promise<string[]> =>
  (await client.get(`/files/of/${type}/${id}`)).body.data.map((file: { id: string }) => file.id)

describe('the files of a session', () => {
  test('are added by its teacher, and read and downloaded by the families of its roster', async () => {
    const { teacher, sessionId, student, parent } = await newClass()
    const bytes = png('page 34')
    const added = await uploaded(app, teacher, { ...worksheet, bytes, entityType: 'session', entityId: sessionId })
    expect(added).toMatchObject({ status: 201, body: { entityType: 'session', entityId: sessionId } })
    const { id } = added.body
    for (const reader of [teacher, student, parent, owner]) {
      expect(await ids(reader, 'session', sessionId)).toEqual([id])
      const { body } = await reader.get(`/files/${id}`)
      expect((await app.get(local(body.downloadUrl))).status).toBe(200)
    }
    for (const reader of [student, parent]) {
      const { body } = await reader.get('/me/schedule?from=2026-03-02&to=2026-03-02')
      expect(body).toMatchObject([{ sessionId, fileCount: 1 }])
      expect(await reader.delete(`/files/${id}`)).toMatchObject(FORBIDDEN)
    }
  })

  test('are nobody else’s: no other class’s, no other family’s, no parent’s who does not see the lessons', async () => {
    const [one, other] = [await newClass(), await newClass()]
    const { body: file } = await uploaded(app, one.teacher, {
      ...worksheet,
      entityType: 'session',
      entityId: one.sessionId,
    })
    const blind = await parentOf(one.studentId, { seesLearning: false, seesMoney: true })
    for (const stranger of [other.teacher, other.student, other.parent, blind]) {
      expect(await stranger.get(`/files/of/session/${one.sessionId}`)).toMatchObject(FORBIDDEN)
      expect(await stranger.get(`/files/${file.id}`)).toMatchObject(FORBIDDEN)
      expect(await stranger.delete(`/files/${file.id}`)).toMatchObject(FORBIDDEN)
    }
  })

  test('are not for a family whose child came into the group after the lesson', async () => {
    const { teacher, groupId, parent } = await newClass()
    const before = { scheduledStart: '2026-03-01T14:00:00.000Z', scheduledEnd: '2026-03-01T15:30:00.000Z' }
    const sessionId = await newSession(school, groupId, before)
    const { body: file } = await uploaded(app, teacher, { ...worksheet, entityType: 'session', entityId: sessionId })
    expect(await parent.get(`/files/of/session/${sessionId}`)).toMatchObject(FORBIDDEN)
    expect(await parent.get(`/files/${file.id}`)).toMatchObject(FORBIDDEN)
  })

  test('are added by nobody who may not change the session, nor to anything else by a teacher', async () => {
    const [one, other] = [await newClass(), await newClass()]
    const attach = (client: Client, entityType: string, entityId: string) =>
      uploaded(app, client, { ...worksheet, entityType, entityId })
    expect(await attach(other.teacher, 'session', one.sessionId)).toMatchObject(MISSING)
    expect(await attach(other.teacher, 'exam', one.examId)).toMatchObject(MISSING)
    expect(await attach(one.teacher, 'student', one.studentId)).toMatchObject(MISSING)
    expect(await attach(one.teacher, 'group', one.groupId)).toMatchObject(MISSING)
    expect(await uploaded(app, one.teacher, worksheet)).toMatchObject(FORBIDDEN)
    expect(await uploaded(app, one.teacher, { ...worksheet, entityType: 'my label' })).toMatchObject(FORBIDDEN)
    for (const family of [one.student, one.parent]) {
      expect(await family.post('/files/upload-url', announced(png(), worksheet))).toMatchObject(FORBIDDEN)
    }
    // Who marks attendance but does not give this lesson.
    const marker = await school.member({ permissions: ['attendance.mark'] })
    expect(await attach(marker, 'session', one.sessionId)).toMatchObject(MISSING)
  })

  test('are replaced and removed by the teacher, and no student’s file is within reach', async () => {
    const { teacher, sessionId, studentId } = await newClass()
    const of = { entityType: 'session', entityId: sessionId }
    const { body: file } = await uploaded(app, teacher, { ...worksheet, ...of })
    const replaced = await uploaded(app, teacher, { ...worksheet, fileId: file.id, bytes: png('better') })
    expect(replaced).toMatchObject({ status: 201, body: { id: file.id, ...of } })
    const { body: passport } = await uploaded(app, owner, { entityType: 'student', entityId: studentId })
    expect(await teacher.get(`/files/${passport.id}`)).toMatchObject(FORBIDDEN)
    expect(await uploaded(app, teacher, { ...worksheet, fileId: passport.id })).toMatchObject(FORBIDDEN)
    expect((await teacher.delete(`/files/${file.id}`)).status).toBe(200)
    expect(await ids(teacher, 'session', sessionId)).toEqual([])
    await app.drain()
    expect((await stored(app)).join()).not.toContain(new URL(replaced.body.downloadUrl).pathname.split('/').at(-1))
  })

  test('an upload of a teacher is completed once, and again by nobody; several can be on their way', async () => {
    const { teacher, sessionId } = await newClass()
    const of = { entityType: 'session', entityId: sessionId }
    const [first, second] = [
      await upload(app, teacher, png('1'), worksheet),
      await upload(app, teacher, png('2'), worksheet),
    ]
    const { status, body } = await teacher.post('/files/complete', { ...first, ...of })
    expect(status).toBe(201)
    expect(await teacher.post('/files/complete', { ...first, ...of })).toMatchObject({
      status: 409,
      body: { error: { details: { fileId: body.id } } },
    })
    const { teacher: other } = await newClass()
    expect(await other.post('/files/complete', { ...second, ...of })).toMatchObject(FORBIDDEN)
    expect((await teacher.post('/files/complete', { ...second, ...of })).status).toBe(201)
  })

  test('do not end a teacher’s own picture', async () => {
    const { teacher, sessionId } = await newClass()
    const { body: avatar } = await uploaded(app, teacher, { kind: 'avatar', originalName: 'me.png' })
    await uploaded(app, teacher, { ...worksheet, entityType: 'session', entityId: sessionId })
    expect((await teacher.get(`/files/${avatar.id}`)).status).toBe(200)
    const asAvatar = { kind: 'avatar', originalName: 'me.png', entityType: 'session', entityId: sessionId }
    expect(await uploaded(app, teacher, asAvatar)).toMatchObject(FORBIDDEN)
  })

  test('are added by a substitute, who reads them too', async () => {
    const { sessionId, teacher } = await newClass()
    const substitute = await school.member({ role: 'teacher' })
    const staffId = await newStaff(school, { userId: substitute.userId })
    const of = { entityType: 'session', entityId: sessionId }
    expect(await uploaded(app, substitute, { ...worksheet, ...of })).toMatchObject(MISSING)
    await owner.patch(`/sessions/${sessionId}`, { teacherStaffId: staffId })
    const { body } = await uploaded(app, substitute, { ...worksheet, ...of })
    expect(await ids(teacher, 'session', sessionId)).toEqual([body.id])
  })
})

describe('a session with files', () => {
  const weekly = async () => {
    const groupId = await newGroup(school)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: twiceAWeek })
    const { data } = (await owner.get(`/groups/${groupId}/sessions`)).body
    const [kept, plain] = data.slice(-2) as { id: string }[]
    await uploaded(app, owner, { ...worksheet, entityType: 'session', entityId: kept?.id as string })
    return { groupId, kept: kept?.id as string, plain: plain?.id as string }
  }
  const CANCELLED = { status: 200, body: { status: 'cancelled' } }

  test('is cancelled, not removed, when the group does not meet at its time any more', async () => {
    const { groupId, kept, plain } = await weekly()
    expect((await owner.put(`/groups/${groupId}/schedules`, { schedules: [] })).status).toBe(200)
    expect(await owner.get(`/sessions/${kept}`)).toMatchObject({
      ...CANCELLED,
      body: { cancelReason: 'The group meets at other times.' },
    })
    expect(await owner.get(`/sessions/${plain}`)).toMatchObject(MISSING)
    expect(await ids(owner, 'session', kept)).toHaveLength(1)
  })

  test('or with homework is cancelled, not removed, when the group ends before it', async () => {
    const { groupId, kept, plain } = await weekly()
    await owner.patch(`/sessions/${plain}`, { homework: { text: 'Page 34' } })
    expect((await owner.patch(`/groups/${groupId}`, { endsOn: '2026-03-03' })).status).toBe(200)
    await app.drain()
    expect(await owner.get(`/sessions/${kept}`)).toMatchObject(CANCELLED)
    expect(await owner.get(`/sessions/${plain}`)).toMatchObject(CANCELLED)
  })
})

describe('the files of an exam', () => {
  test('are added by its teacher, and the families’ to read once it is published', async () => {
    const { teacher, examId, studentId, student, parent } = await newClass()
    const { body: file } = await uploaded(app, teacher, { ...worksheet, entityType: 'exam', entityId: examId })
    expect(await ids(teacher, 'exam', examId)).toEqual([file.id])
    for (const family of [student, parent]) {
      expect(await family.get(`/files/of/exam/${examId}`)).toMatchObject(FORBIDDEN)
      expect(await family.get(`/files/${file.id}`)).toMatchObject(FORBIDDEN)
    }
    await teacher.put(`/exams/${examId}/results`, { results: [{ studentId, score: 17 }] })
    await teacher.post(`/exams/${examId}/publish`)
    for (const family of [student, parent]) {
      expect(await ids(family, 'exam', examId)).toEqual([file.id])
      expect((await family.get(`/files/${file.id}`)).status).toBe(200)
      expect((await family.get(`/me/students/${studentId}`)).body.results).toMatchObject([{ examId, fileCount: 1 }])
    }
    const [other, blind] = [await newClass(), await parentOf(studentId, { seesLearning: false, seesMoney: true })]
    for (const stranger of [other.teacher, other.parent, blind]) {
      expect(await stranger.get(`/files/of/exam/${examId}`)).toMatchObject(FORBIDDEN)
      expect(await stranger.get(`/files/${file.id}`)).toMatchObject(FORBIDDEN)
    }
  })

  test('keep it from being deleted', async () => {
    const { teacher, examId } = await newClass()
    const { body: file } = await uploaded(app, teacher, { ...worksheet, entityType: 'exam', entityId: examId })
    expect(await teacher.delete(`/exams/${examId}`)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'exam_in_use' } } },
    })
    expect((await teacher.delete(`/files/${file.id}`)).status).toBe(200)
    expect((await teacher.delete(`/exams/${examId}`)).status).toBe(200)
  })
})
