import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newCourseOf, newGrant, newLesson, newPublished, newSection, signedInLearner } from '../examples/curriculum.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client
let account: { app: TestApp; institute: TestInstitute }

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
  account = { app, institute }
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'

const complete = (client: Client, lessonId: string) => client.post(`/me/lessons/${lessonId}/complete`)
const courseOf = async (client: Client, courseId: string) => (await client.get(`/me/courses/${courseId}`)).body
const eventsOfStudent = async (type: string, studentId: string) =>
  (await eventsOf(app, institute, type)).filter((data) => data.studentId === studentId)
const publish = async (lessonId: string) => {
  expect((await owner.post(`/lessons/${lessonId}/publish`)).status).toBe(200)
  return lessonId
}

describe('GET /me/courses', () => {
  test('lists the own courses that were not dropped, last given first, with how far one is', async () => {
    const { member, studentId, courseId, lessonIds, grantId } = await newCourseOf(account, 2)
    await complete(member, lessonIds[0])
    app.clock.advance(1)
    const dropped = await newGrant(institute, (await newPublished(institute)).courseId, studentId)
    await owner.delete(`/course-enrollments/${dropped}`)
    const { courseId: other } = await newPublished(institute)
    const otherGrant = await newGrant(institute, other, studentId)
    const { status, body } = await member.get('/me/courses')
    expect([status, body.nextCursor]).toEqual([200, null])
    const open = { name: 'Grammar', description: null, status: 'active', endedAt: null }
    const first = (await owner.get(`/courses/${courseId}/enrollments`)).body.data[0]
    expect(body.data).toEqual([
      {
        ...open,
        courseEnrollmentId: otherGrant,
        courseId: other,
        grantedAt: app.clock.now(),
        lessonCount: 1,
        completedCount: 0,
        lastCompletedAt: null,
      },
      {
        ...open,
        courseEnrollmentId: grantId,
        courseId,
        grantedAt: first.grantedAt,
        lessonCount: 2,
        completedCount: 1,
        lastCompletedAt: first.grantedAt,
      },
    ])
    const page = (await member.get('/me/courses?limit=1')).body
    expect(page.data).toEqual([body.data[0]])
    expect((await member.get(`/me/courses?limit=1&cursor=${page.nextCursor}`)).body).toEqual({
      data: [body.data[1]],
      nextCursor: null,
    })
  })

  test('is empty for everybody who is no student, and for an API key', async () => {
    const key = (await owner.post('/api-keys', { name: 'Sync', kind: 'secret', permissions: [] })).body.key
    const others = [owner, await institute.member({ role: 'guardian' }), await institute.member({ role: 'teacher' })]
    for (const client of [...others, app.as(key)]) {
      expect((await client.get('/me/courses')).body).toEqual({ data: [], nextCursor: null })
    }
  })
})

describe('GET /me/courses/{courseId}', () => {
  test('has the published lessons with completedAt; what is not published is hidden', async () => {
    const { member, courseId, sectionId, lessonIds } = await newCourseOf(account, 2)
    await newLesson(institute, sectionId, { title: 'Hidden' })
    await newLesson(institute, await newSection(institute, courseId, 'Only hidden lessons'))
    await owner.put(`/lessons/${lessonIds[1]}/video`, { url: 'https://youtu.be/dQw4w9WgXcQ' })
    await complete(member, lessonIds[0])
    const { sections, ...course } = await courseOf(member, courseId)
    expect((await member.get('/me/courses')).body.data).toEqual([course])
    const lessons = await Promise.all(lessonIds.map(async (id) => (await owner.get(`/lessons/${id}`)).body))
    const [section] = (await owner.get(`/courses/${courseId}/curriculum`)).body.sections
    expect(sections).toEqual([
      {
        ...section,
        lessons: [
          { ...lessons[0], isOpen: true, completedAt: app.clock.now() },
          { ...lessons[1], isOpen: true, completedAt: null },
        ],
      },
    ])
  })

  test('is 404 for a course that the caller was not given, or not any more', async () => {
    const { member, courseId, grantId } = await newCourseOf(account)
    const other = await newCourseOf(account)
    for (const [client, id] of [
      [member, other.courseId],
      [owner, courseId],
      [member, unknown],
    ] as const) {
      expect((await client.get(`/me/courses/${id}`)).status).toBe(404)
    }
    await owner.delete(`/course-enrollments/${grantId}`)
    expect((await member.get(`/me/courses/${courseId}`)).status).toBe(404)
  })
})

describe('POST /me/lessons/{id}/complete', () => {
  test('completes a lesson once, and the course with its last lesson', async () => {
    const { member, studentId, courseId, lessonIds, grantId } = await newCourseOf(account, 2)
    const [one, two] = lessonIds as unknown as [string, string]
    const completedAt = app.clock.now()
    const first = await complete(member, one)
    const progress = { lessonCount: 2, completedCount: 1, lastCompletedAt: completedAt }
    expect([first.status, first.body]).toEqual([
      200,
      { lessonId: one, courseId, completedAt, status: 'active', ...progress },
    ])
    app.clock.advance(60)
    expect((await complete(member, one)).body).toEqual(first.body)
    expect(await eventsOfStudent('lesson.completed', studentId)).toEqual([{ lessonId: one, courseId, studentId }])
    expect(await eventsOfStudent('course.completed', studentId)).toEqual([])

    const endedAt = app.clock.now()
    expect((await complete(member, two)).body).toMatchObject({ status: 'completed', completedCount: 2 })
    app.clock.advance(60)
    await complete(member, two)
    expect(await eventsOfStudent('lesson.completed', studentId)).toHaveLength(2)
    expect(await eventsOfStudent('course.completed', studentId)).toEqual([{ courseId, studentId, lessonCount: 2 }])
    const [grant] = (await owner.get(`/courses/${courseId}/enrollments?status=completed`)).body.data
    expect(grant).toMatchObject({ id: grantId, status: 'completed', endedAt })
    expect((await auditOf(app, institute, 'me.complete-lesson')).at(-1)).toMatchObject({
      entity_type: 'course_enrollment',
      entity_id: grantId,
      metadata: { lessonId: two },
    })
    expect((await owner.get(`/courses/${courseId}/progress`)).body).toEqual({
      data: [
        {
          courseEnrollmentId: grantId,
          studentId,
          studentNumber: expect.stringMatching(/^S-\d{6}$/),
          firstName: 'Lina',
          lastName: 'Saleh',
          status: 'completed',
          grantedAt: grant.grantedAt,
          lessonCount: 2,
          completedCount: 2,
          lastCompletedAt: endedAt,
          completedLessonIds: [one, two],
        },
      ],
      nextCursor: null,
    })
  })

  test('at once for the last two lessons completes the course once', async () => {
    const { member, studentId, lessonIds } = await newCourseOf(account, 3)
    const replies = await Promise.all([...lessonIds, ...lessonIds].map((id) => complete(member, id)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await eventsOfStudent('lesson.completed', studentId)).toHaveLength(3)
    expect(await eventsOfStudent('course.completed', studentId)).toMatchObject([{ lessonCount: 3 }])
    expect((await member.get('/me/courses')).body.data).toMatchObject([{ status: 'completed' }])
  })

  test('is 404 for a lesson that is not published, or of a course that the caller was not given', async () => {
    const { member, studentId, sectionId, lessonIds, grantId } = await newCourseOf(account)
    const hidden = await newLesson(institute, sectionId)
    const other = await newCourseOf(account)
    for (const id of [hidden, other.lessonIds[0], unknown]) expect((await complete(member, id)).status).toBe(404)
    expect((await complete(owner, lessonIds[0])).status).toBe(404)
    await owner.delete(`/course-enrollments/${grantId}`)
    expect((await complete(member, lessonIds[0])).status).toBe(404)
    expect(await eventsOfStudent('lesson.completed', studentId)).toEqual([])
  })

  test('a course stays completed when a lesson is published later, which can still be completed', async () => {
    const { member, studentId, sectionId, courseId, lessonIds } = await newCourseOf(account)
    await complete(member, lessonIds[0])
    const later = await publish(await newLesson(institute, sectionId))
    expect(await courseOf(member, courseId)).toMatchObject({ status: 'completed', lessonCount: 2, completedCount: 1 })
    expect((await complete(member, later)).body).toMatchObject({ status: 'completed', completedCount: 2 })
    expect(await eventsOfStudent('course.completed', studentId)).toEqual([{ courseId, studentId, lessonCount: 1 }])
    expect(await eventsOfStudent('lesson.completed', studentId)).toHaveLength(2)
  })

  test('what was completed outlives a drop, and completes the course given again without another event', async () => {
    const { member, studentId, courseId, lessonIds, grantId } = await newCourseOf(account)
    await complete(member, lessonIds[0])
    await owner.delete(`/course-enrollments/${grantId}`)
    await newGrant(institute, courseId, studentId)
    expect(await courseOf(member, courseId)).toMatchObject({ status: 'active', completedCount: 1 })
    expect((await complete(member, lessonIds[0])).body).toMatchObject({ status: 'completed' })
    expect(await eventsOfStudent('course.completed', studentId)).toHaveLength(1)
    expect(await eventsOfStudent('lesson.completed', studentId)).toHaveLength(1)
  })

  test('a lesson that was completed is not deleted (409), only unpublished', async () => {
    const { member, courseId, lessonIds } = await newCourseOf(account)
    await complete(member, lessonIds[0])
    const refused = await owner.delete(`/lessons/${lessonIds[0]}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    await owner.post(`/lessons/${lessonIds[0]}/unpublish`)
    expect(await courseOf(member, courseId)).toMatchObject({ lessonCount: 0, completedCount: 0, sections: [] })
  })
})

test('a guardian sees no course of their child as their own', async () => {
  const { studentId, courseId, lessonIds } = await newCourseOf(account)
  const guardian = await institute.member({ role: 'guardian' })
  const person = { firstName: 'Ruth', lastName: 'Levi', phone: '+972501239876' }
  const { id: guardianId } = (await owner.post('/guardians', person)).body
  await linkAccount(app, 'guardian', { id: guardianId, userId: guardian.userId })
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  await owner.post(`/students/${studentId}/guardians`, link)
  expect((await guardian.get('/me/courses')).body.data).toEqual([])
  expect((await guardian.get(`/me/courses/${courseId}`)).status).toBe(404)
  expect((await complete(guardian, lessonIds[0])).status).toBe(404)
})

describe('whatever happens in whatever order', () => {
  /** The rules again, without a database. */
  class Model {
    status: 'none' | 'active' | 'completed' | 'dropped' = 'none'
    readonly published = new Set<number>()
    readonly completed = new Set<number>()
    readonly events = { given: 0, dropped: 0, lessons: 0, published: 0 }
    courseEvents: number[] = []

    complete(n: number): boolean {
      if (!this.published.has(n) || this.status === 'none' || this.status === 'dropped') return false
      if (!this.completed.has(n)) this.events.lessons += 1
      this.completed.add(n)
      if (this.status === 'active' && this.published.isSubsetOf(this.completed)) {
        this.status = 'completed'
        if (this.courseEvents.length === 0) this.courseEvents = [this.published.size]
      }
      return true
    }
    give(): void {
      if (this.status === 'active' || this.status === 'completed') return
      this.status = 'active'
      this.events.given += 1
    }
    drop(): void {
      if (this.status === 'dropped' || this.status === 'none') return
      this.status = 'dropped'
      this.events.dropped += 1
    }
    publish(n: number): void {
      if (!this.published.has(n)) this.events.published += 1
      this.published.add(n)
    }
  }

  const LESSONS = 3
  const lesson = fc.nat(LESSONS - 1)
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant('complete' as const), lesson) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('publish' as const), lesson) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('unpublish' as const), lesson) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('give' as const), fc.constant(0)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('drop' as const), fc.constant(0)) },
  )

  const prepare = async (learner: { member: TestMember; studentId: string }) => {
    const { courseId, sectionId } = await newPublished(institute, 0)
    const lessonIds: string[] = []
    for (let n = 0; n < LESSONS; n += 1) lessonIds.push(await newLesson(institute, sectionId))
    let grantId: string | undefined
    const take = {
      complete: async (n: number) => (await complete(learner.member, lessonIds[n] as string)).status === 200,
      publish: (n: number) => owner.post(`/lessons/${lessonIds[n]}/publish`),
      unpublish: (n: number) => owner.post(`/lessons/${lessonIds[n]}/unpublish`),
      give: async () => {
        grantId = await newGrant(institute, courseId, learner.studentId)
      },
      drop: async () => grantId !== undefined && owner.delete(`/course-enrollments/${grantId}`),
    }
    const eventCounts = async () => {
      const all = (await eventsOf(app, institute)).filter(({ data }) => data.courseId === courseId)
      const count = (type: string) => all.filter((event) => event.type === type).length
      return {
        given: count('course_enrollment.created'),
        dropped: count('course_enrollment.dropped'),
        lessons: count('lesson.completed'),
        published: count('lesson.published'),
        course: all.filter(({ type }) => type === 'course.completed').map(({ data }) => data.lessonCount),
      }
    }
    return { courseId, lessonIds, take, eventCounts }
  }

  test('one after another, status, progress and events are as the rules say', async () => {
    const learner = await signedInLearner(account)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const { courseId, take, eventCounts } = await prepare(learner)
        const model = new Model()
        await take.publish(0)
        model.publish(0)
        await take.give()
        model.give()
        for (const [what, n] of steps) {
          const done = await take[what](n)
          if (what === 'complete') expect(done).toBe(model.complete(n))
          else if (what === 'unpublish') model.published.delete(n)
          else model[what](n)
        }
        const { events, courseEvents } = model
        expect(await eventCounts()).toEqual({ ...events, course: courseEvents })
        const shown = await learner.member.get(`/me/courses/${courseId}`)
        if (model.status === 'dropped') expect(shown.status).toBe(404)
        else {
          expect(shown.body).toMatchObject({
            status: model.status,
            lessonCount: model.published.size,
            completedCount: model.published.intersection(model.completed).size,
          })
        }
      }),
      { numRuns: 15 },
    )
  }, 120_000)

  test('at once, nothing is told twice, and the course is completed only with its lessons', async () => {
    const learner = await signedInLearner(account)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const { courseId, lessonIds, take, eventCounts } = await prepare(learner)
        for (let n = 0; n < LESSONS; n += 1) await take.publish(n)
        await take.give()
        await Promise.all(steps.map(async ([what, n]) => take[what](n)))
        const { lessons, course, dropped, given } = await eventCounts()
        const [grant] = (await owner.get(`/courses/${courseId}/enrollments`)).body.data
        // Each grant but the last was dropped; the last one is, or is not.
        expect(given - dropped).toBe(grant.status === 'dropped' ? 0 : 1)
        expect(course.length).toBeLessThanOrEqual(1)
        if (grant.status === 'completed') expect(course).toHaveLength(1)
        // Give it back and finish it: then every lesson was told once, and the course once.
        await take.give()
        for (const [n] of lessonIds.entries()) await take.publish(n)
        for (const [n] of lessonIds.entries()) expect(await take.complete(n)).toBe(true)
        expect(lessons).toBeLessThanOrEqual(LESSONS)
        expect(await eventCounts()).toMatchObject({ lessons: LESSONS, course: [expect.any(Number)] })
        expect(await courseOf(learner.member, courseId)).toMatchObject({
          status: 'completed',
          completedCount: LESSONS,
        })
      }),
      { numRuns: 10 },
    )
  }, 120_000)
})
