import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newLesson, newPublished, newSection, newVideoCourse } from '../examples/curriculum.ts'
import { newGroup, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

interface Shown {
  id: string
  title: string
  sortOrder: number
  version: number
  lessons: Shown[]
}
const sectionsOf = async (courseId: string): Promise<Shown[]> =>
  (await owner.get(`/courses/${courseId}/curriculum`)).body.sections
const order = (path: string, ids: unknown) => owner.put(`${path}/order`, { ids })
const publishedOf = async (lessonId: string) =>
  (await eventsOf(app, institute, 'lesson.published')).filter((data) => data.lessonId === lessonId)

/** A course of three sections. */
const newCourse = async () => {
  const courseId = await newVideoCourse(institute)
  const ids: string[] = []
  for (const title of ['A', 'B', 'C']) ids.push(await newSection(institute, courseId, title))
  return { courseId, ids: ids as [string, string, string] }
}

describe('sections', () => {
  test('are added at the end, renamed and listed with their lessons', async () => {
    const courseId = await newVideoCourse(institute)
    const now = app.clock.now()
    const first = await owner.post(`/courses/${courseId}/sections`, { title: '  Verbs ' })
    const section = { id: uuid, courseId, title: 'Verbs', sortOrder: 0, version: 1, createdAt: now, updatedAt: now }
    expect([first.status, first.body]).toEqual([201, section])
    const second = (await owner.post(`/courses/${courseId}/sections`, { title: 'Nouns' })).body
    expect(second).toMatchObject({ title: 'Nouns', sortOrder: 1 })
    const renamed = await owner.patch(`/sections/${second.id}`, { title: 'Names', version: 1 })
    expect([renamed.status, renamed.body]).toEqual([200, { ...second, title: 'Names', version: 2 }])
    const stale = await owner.patch(`/sections/${second.id}`, { title: 'Old', version: 1 })
    expect(stale).toMatchObject({
      status: 409,
      body: { error: { code: 'VERSION_CONFLICT', details: { expected: 1, current: 2 } } },
    })
    expect((await owner.get(`/courses/${courseId}/curriculum`)).body).toEqual({
      courseId,
      courseName: 'Grammar',
      sections: [
        { ...first.body, lessons: [] },
        { ...renamed.body, lessons: [] },
      ],
    })
  })

  test.each([[{ title: '' }], [{ title: 'x'.repeat(201) }], [{}]])('%j is 422', async (body) => {
    const courseId = await newVideoCourse(institute)
    expect((await owner.post(`/courses/${courseId}/sections`, body)).status).toBe(422)
  })

  test('are sorted by all of their ids, and only those that moved get another version', async () => {
    const { courseId, ids } = await newCourse()
    const [a, b, c] = ids
    const reply = await order(`/courses/${courseId}/sections`, [b, a, c])
    expect(reply.status).toBe(200)
    expect(reply.body.data.map(({ id, sortOrder, version }: Shown) => [id, sortOrder, version])).toEqual([
      [b, 0, 2],
      [a, 1, 2],
      [c, 2, 1],
    ])
    expect((await sectionsOf(courseId)).map(({ id }) => id)).toEqual([b, a, c])
    expect((await auditOf(app, institute, 'sections.order')).at(-1)).toMatchObject({
      entity_id: courseId,
      before: { sectionIds: [a, b, c] },
      after: { sectionIds: [b, a, c] },
    })
  })

  test('an order that leaves one out, names one twice or a strange one is 422 and says which', async () => {
    const { courseId, ids } = await newCourse()
    const [a, b, c] = ids
    const strange = await newSection(institute)
    const refused = await order(`/courses/${courseId}/sections`, [c, c, strange])
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(refused.body.error.details.issues).toEqual([
      { path: ['ids', '1'], message: 'Must not be named twice.' },
      { path: ['ids', '2'], message: 'Must be a section of the course.' },
      { path: ['ids'], message: `Must name every section of the course; left out: ${a}, ${b}.` },
    ])
    expect((await order(`/courses/${courseId}/sections`, [])).status).toBe(422)
    expect((await sectionsOf(courseId)).map(({ id, version }) => [id, version])).toEqual(ids.map((id) => [id, 1]))
    expect((await order(`/courses/${unknown}/sections`, [])).status).toBe(404)
  })

  test('are deleted without lessons only, and those after move up', async () => {
    const { courseId, ids } = await newCourse()
    const lessonId = await newLesson(institute, ids[0])
    const refused = await owner.delete(`/sections/${ids[0]}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    await owner.delete(`/lessons/${lessonId}`)
    expect(await owner.delete(`/sections/${ids[0]}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await sectionsOf(courseId)).map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      [ids[1], 0],
      [ids[2], 1],
    ])
    expect((await owner.delete(`/sections/${ids[0]}`)).status).toBe(404)
  })

  test('a course has at most 100', async () => {
    const courseId = await newVideoCourse(institute)
    for (let n = 0; n < 100; n += 1) await newSection(institute, courseId)
    const refused = await owner.post(`/courses/${courseId}/sections`, { title: 'One more' })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { most: 100 } } } })
  })

  test('added at once stand in an order without gaps', async () => {
    const courseId = await newVideoCourse(institute)
    await Promise.all([1, 2, 3, 4].map(() => newSection(institute, courseId)))
    expect((await sectionsOf(courseId)).map(({ sortOrder }) => sortOrder)).toEqual([0, 1, 2, 3])
  })
})

describe('lessons', () => {
  test('have the contract’s fields', async () => {
    const courseId = await newVideoCourse(institute)
    const sectionId = await newSection(institute, courseId)
    const now = app.clock.now()
    const { status, body } = await owner.post(`/sections/${sectionId}/lessons`, { title: 'Past tense' })
    expect([status, body]).toEqual([
      201,
      {
        id: uuid,
        courseId,
        sectionId,
        title: 'Past tense',
        description: null,
        kind: 'video',
        body: null,
        durationSec: null,
        sortOrder: 0,
        isPreview: false,
        publishedAt: null,
        video: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
    ])
    const more = { title: 'Text', description: 'Of verbs', kind: 'text', body: 'Read\nthis', durationSec: 90 }
    const text = (await owner.post(`/sections/${sectionId}/lessons`, { ...more, isPreview: true })).body
    expect(text).toMatchObject({ ...more, isPreview: true, sortOrder: 1 })
    expect((await owner.get(`/lessons/${text.id}`)).body).toEqual(text)
    expect((await sectionsOf(courseId))[0]?.lessons).toEqual([body, text])
    const changed = { title: 'Future', description: null, body: null, durationSec: null, kind: 'video' }
    expect((await owner.patch(`/lessons/${text.id}`, { ...changed, version: 1 })).body).toMatchObject({
      ...changed,
      version: 2,
    })
    expect((await owner.patch(`/lessons/${text.id}`, { title: 'Old', version: 1 })).status).toBe(409)
  })

  test.each([
    [{ kind: 'audio' }],
    [{ durationSec: -1 }],
    [{ durationSec: 1.5 }],
    [{ isPreview: 'yes' }],
    [{ body: 'x'.repeat(10_001) }],
    [{ title: null }],
  ])('%j is 422', async (fields) => {
    const sectionId = await newSection(institute)
    expect((await owner.post(`/sections/${sectionId}/lessons`, { title: 'Past', ...fields })).status).toBe(422)
  })

  test('are sorted by all of their ids', async () => {
    const courseId = await newVideoCourse(institute)
    const sectionId = await newSection(institute, courseId)
    const [a, b, c] = [
      await newLesson(institute, sectionId),
      await newLesson(institute, sectionId),
      await newLesson(institute, sectionId),
    ]
    const reply = await order(`/sections/${sectionId}/lessons`, [c, a, b])
    expect([reply.status, reply.body.data.map(({ id }: Shown) => id)]).toEqual([200, [c, a, b]])
    const refused = await order(`/sections/${sectionId}/lessons`, [c, a])
    expect(refused.body.error.details.issues).toEqual([
      { path: ['ids'], message: `Must name every lesson of the section; left out: ${b}.` },
    ])
    await owner.delete(`/lessons/${c}`)
    const left = (await sectionsOf(courseId))[0]?.lessons ?? []
    expect(left.map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      [a, 0],
      [b, 1],
    ])
  })

  test('move to the end of another section of the course, and of no other course', async () => {
    const { courseId, ids } = await newCourse()
    const stays = [await newLesson(institute, ids[0]), await newLesson(institute, ids[0])]
    const moves = await newLesson(institute, ids[0])
    await order(`/sections/${ids[0]}/lessons`, [moves, ...stays])
    await newLesson(institute, ids[1])
    const reply = await owner.patch(`/lessons/${moves}`, { sectionId: ids[1], title: 'Moved' })
    expect(reply.body).toMatchObject({ sectionId: ids[1], sortOrder: 1, title: 'Moved' })
    const [first, second] = await sectionsOf(courseId)
    expect(first?.lessons.map(({ id, sortOrder }) => [id, sortOrder])).toEqual(stays.map((id, index) => [id, index]))
    expect(second?.lessons.map(({ sortOrder }) => sortOrder)).toEqual([0, 1])
    const elsewhere = await newSection(institute)
    const refused = await owner.patch(`/lessons/${moves}`, { sectionId: elsewhere })
    expect(refused.body.error.details.issues).toMatchObject([{ path: ['sectionId'] }])
    expect((await owner.patch(`/lessons/${moves}`, { sectionId: unknown })).status).toBe(404)
  })

  test('a course has at most 300', async () => {
    const courseId = await newVideoCourse(institute)
    const sections = [await newSection(institute, courseId), await newSection(institute, courseId)] as const
    for (let n = 0; n < 300; n += 1) await newLesson(institute, sections[n % 2])
    const refused = await owner.post(`/sections/${sections[0]}/lessons`, { title: 'One more' })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { most: 300 } } } })
  }, 60_000)

  test('are counted in the summary', async () => {
    const { courseId, sectionId } = await newPublished(institute, 2)
    await newLesson(institute, sectionId, { kind: 'text' })
    await newSection(institute, courseId)
    expect((await owner.get(`/courses/${courseId}/curriculum/summary`)).body).toEqual({
      courseId,
      sectionCount: 2,
      lessonCount: 3,
      publishedLessonCount: 2,
      videoLessonCount: 2,
    })
  })

  test('an unknown course, section or lesson is 404', async () => {
    for (const path of [`/courses/${unknown}/curriculum`, `/courses/${unknown}/curriculum/summary`]) {
      expect((await owner.get(path)).status, path).toBe(404)
    }
    expect((await owner.post(`/courses/${unknown}/sections`, { title: 'A' })).status).toBe(404)
    expect((await owner.post(`/sections/${unknown}/lessons`, { title: 'A' })).status).toBe(404)
    expect((await owner.get(`/lessons/${unknown}`)).status).toBe(404)
    expect((await owner.put(`/lessons/${unknown}/video`, { url: 'nothing' })).status).toBe(404)
  })
})

describe('publication', () => {
  test('has its event once, however often it is asked for, and again after it was taken back', async () => {
    const courseId = await newVideoCourse(institute)
    const sectionId = await newSection(institute, courseId)
    const lessonId = await newLesson(institute, sectionId)
    const publishedAt = app.clock.now()
    const first = await owner.post(`/lessons/${lessonId}/publish`)
    expect(first).toMatchObject({ status: 200, body: { publishedAt, version: 2 } })
    app.clock.advance(60)
    expect((await owner.post(`/lessons/${lessonId}/publish`)).body).toEqual(first.body)
    const event = { lessonId, courseId, sectionId, title: 'Past tense' }
    expect(await publishedOf(lessonId)).toEqual([event])
    expect((await owner.post(`/lessons/${lessonId}/unpublish`)).body).toMatchObject({ publishedAt: null, version: 3 })
    expect((await owner.post(`/lessons/${lessonId}/unpublish`)).body).toMatchObject({ publishedAt: null, version: 3 })
    await owner.post(`/lessons/${lessonId}/publish`)
    expect(await publishedOf(lessonId)).toEqual([event, event])
  })

  test('asked for twice at once has one event', async () => {
    const lessonId = await newLesson(institute)
    const replies = await Promise.all([1, 2, 3].map(() => owner.post(`/lessons/${lessonId}/publish`)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await publishedOf(lessonId)).toHaveLength(1)
  })
})

describe('a lesson and the sessions that are about it', () => {
  test('a session names a lesson of its group’s course, and then the lesson stays', async () => {
    const groupId = await newGroup(institute)
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const lessonId = await newLesson(institute, await newSection(institute, courseId))
    const sessionId = await newSession(institute, groupId)
    expect((await owner.patch(`/sessions/${sessionId}`, { lessonId })).body).toMatchObject({ lessonId })
    expect((await owner.get(`/sessions/${sessionId}`)).body.lessonId).toBe(lessonId)
    const refused = await owner.patch(`/sessions/${sessionId}`, { lessonId: await newLesson(institute) })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, ['lessonId']])
    expect((await owner.delete(`/lessons/${lessonId}`)).body.error.code).toBe('CONFLICT')
    await owner.patch(`/sessions/${sessionId}`, { lessonId: null })
    expect((await owner.delete(`/lessons/${lessonId}`)).status).toBe(200)
  })
})

describe('a course', () => {
  test('with lessons is not deleted (409); sections without lessons go with it', async () => {
    const { courseId, ids } = await newCourse()
    const lessonId = await newLesson(institute, ids[1])
    expect((await owner.delete(`/courses/${courseId}`)).status).toBe(409)
    await owner.delete(`/lessons/${lessonId}`)
    expect((await owner.delete(`/courses/${courseId}`)).status).toBe(200)
    expect((await owner.patch(`/sections/${ids[0]}`, { title: 'Gone' })).status).toBe(404)
  })
})

describe('who reads and writes', () => {
  test('a teacher reads the courses of their groups, and writes none', async () => {
    const member = await institute.member({ role: 'teacher' })
    const groupId = await newGroup(institute, { teacherStaffId: await newStaff(institute, { userId: member.userId }) })
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const sectionId = await newSection(institute, courseId)
    const lessonId = await newLesson(institute, sectionId)
    const others = await newLesson(institute)
    const { courseId: otherCourse } = (await owner.get(`/lessons/${others}`)).body
    for (const path of [
      `/courses/${courseId}/curriculum`,
      `/courses/${courseId}/curriculum/summary`,
      `/lessons/${lessonId}`,
    ])
      expect((await member.get(path)).status, path).toBe(200)
    for (const path of [
      `/courses/${otherCourse}/curriculum`,
      `/courses/${otherCourse}/curriculum/summary`,
      `/lessons/${others}`,
    ])
      expect((await member.get(path)).status, path).toBe(404)
    expect((await member.patch(`/lessons/${lessonId}`, { title: 'Mine' })).status).toBe(403)
  })

  test('under a role for one branch everybody reads, and nobody writes', async () => {
    const manager = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    const lessonId = await newLesson(institute)
    const { courseId } = (await owner.get(`/lessons/${lessonId}`)).body
    expect((await manager.get(`/lessons/${lessonId}`)).status).toBe(200)
    expect((await manager.get(`/courses/${courseId}/curriculum`)).status).toBe(200)
    expect((await manager.patch(`/lessons/${lessonId}`, { title: 'Mine' })).status).toBe(403)
    const everywhere = await institute.member({ role: 'branch_manager' })
    expect((await everywhere.patch(`/lessons/${lessonId}`, { title: 'Mine' })).status).toBe(200)
  })

  test.each(['student', 'guardian', 'front_desk', 'accountant'] as const)('a %s may not', async (role) => {
    const member = await institute.member({ role })
    const lessonId = await newLesson(institute)
    expect((await member.get(`/lessons/${lessonId}`)).body.error.code).toBe('FORBIDDEN')
    expect((await member.post(`/lessons/${lessonId}/publish`)).body.error.code).toBe('FORBIDDEN')
  })
})
