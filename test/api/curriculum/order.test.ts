import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLesson, newSection, newVideoCourse } from '../examples/curriculum.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

interface Sorted {
  id: string
  sortOrder: number
  lessons: Sorted[]
}

const shown = async (courseId: string): Promise<Sorted[]> =>
  (await owner.get(`/courses/${courseId}/curriculum`)).body.sections
const expectDense = (sorted: readonly Sorted[]) =>
  expect(sorted.map(({ sortOrder }) => sortOrder)).toEqual(sorted.map((_, index) => index))
const expectAllDense = (sections: readonly Sorted[]) => {
  expectDense(sections)
  for (const { lessons } of sections) expectDense(lessons)
}

/** Takes one of a list, by any number. */
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length]
/** The list in another order, by any number. */
const shuffled = <T>(list: readonly T[], n: number): T[] => {
  const rest = [...list]
  return list.map((_, index) => rest.splice((n * 31 + index * 7) % rest.length, 1)[0] as T)
}

const step = fc.tuple(
  fc.constantFrom('add section', 'delete section', 'sort sections', 'add', 'add', 'delete', 'move', 'sort'),
  fc.nat(1000),
  fc.nat(1000),
)

test('sections and lessons stand where a list of lists would have them, numbered without gaps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const courseId = await newVideoCourse(institute)
      let model: { id: string; lessons: string[] }[] = [{ id: await newSection(institute, courseId), lessons: [] }]
      for (const [what, a, b] of steps) {
        const section = pick(model, a)
        const lessonId = section && pick(section.lessons, b)
        const target = pick(model, b)
        if (what === 'add section') model.push({ id: await newSection(institute, courseId), lessons: [] })
        else if (what === 'sort sections') {
          model = shuffled(model, b)
          await owner.put(`/courses/${courseId}/sections/order`, { ids: model.map(({ id }) => id) })
        } else if (!section || !target) continue
        else if (what === 'delete section') {
          const { status } = await owner.delete(`/sections/${section.id}`)
          expect(status).toBe(section.lessons.length > 0 ? 409 : 200)
          if (status === 200) model = model.filter((one) => one !== section)
        } else if (what === 'add') section.lessons.push(await newLesson(institute, section.id))
        else if (what === 'sort') {
          section.lessons = shuffled(section.lessons, b)
          await owner.put(`/sections/${section.id}/lessons/order`, { ids: section.lessons })
        } else if (lessonId === undefined) continue
        else if (what === 'delete') {
          expect((await owner.delete(`/lessons/${lessonId}`)).status).toBe(200)
          section.lessons = section.lessons.filter((id) => id !== lessonId)
        } else {
          expect((await owner.patch(`/lessons/${lessonId}`, { sectionId: target.id })).status).toBe(200)
          if (target !== section) {
            section.lessons = section.lessons.filter((id) => id !== lessonId)
            target.lessons.push(lessonId)
          }
        }
      }
      const sections = await shown(courseId)
      expect(sections.map(({ id, lessons }) => ({ id, lessons: lessons.map((one) => one.id) }))).toEqual(model)
      expectAllDense(sections)
    }),
    { numRuns: 15 },
  )
}, 120_000)

test('whatever is added, deleted, moved and sorted at once, the numbers have no gaps and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const courseId = await newVideoCourse(institute)
      const sectionIds = [await newSection(institute, courseId), await newSection(institute, courseId)]
      const lessonIds: string[] = []
      for (let n = 0; n < 6; n += 1) lessonIds.push(await newLesson(institute, sectionIds[n % 2]))
      const gone = new Set<string>()
      let added = 0
      await Promise.all(
        steps.map(async ([what, a, b]) => {
          const sectionId = pick(sectionIds, a) as string
          const lessonId = pick(lessonIds, b) as string
          if (what === 'add section') await newSection(institute, courseId)
          else if (what === 'add') {
            const { status } = await owner.post(`/sections/${sectionId}/lessons`, { title: 'One more' })
            if (status === 201) added += 1
          } else if (what === 'delete') {
            if ((await owner.delete(`/lessons/${lessonId}`)).status === 200) gone.add(lessonId)
          } else if (what === 'move') await owner.patch(`/lessons/${lessonId}`, { sectionId })
          else if (what === 'delete section') await owner.delete(`/sections/${sectionId}`)
          else if (what === 'sort sections') {
            await owner.put(`/courses/${courseId}/sections/order`, { ids: shuffled(sectionIds, b) })
          } else {
            const ids = (await shown(courseId)).find(({ id }) => id === sectionId)?.lessons.map(({ id }) => id) ?? []
            const { status } = await owner.put(`/sections/${sectionId}/lessons/order`, { ids: shuffled(ids, b) })
            // What came or went since the ids were read makes the order one that is not theirs.
            expect([200, 404, 422]).toContain(status)
          }
        }),
      )
      const sections = await shown(courseId)
      expectAllDense(sections)
      const left = sections.flatMap(({ lessons }) => lessons.map(({ id }) => id))
      expect(left).toHaveLength(lessonIds.length + added - gone.size)
      expect(lessonIds.filter((id) => !left.includes(id)).toSorted()).toEqual([...gone].toSorted())
    }),
    { numRuns: 15 },
  )
}, 120_000)

test('an order that somebody else changed meanwhile is 409 for whoever says what they saw, and stays', async () => {
  const courseId = await newVideoCourse(institute)
  const [a, b] = [await newSection(institute, courseId), await newSection(institute, courseId)]
  const sections = `/courses/${courseId}/sections/order`
  expect((await owner.put(sections, { ids: [b, a], seen: [a, b] })).status).toBe(200)
  const late = await owner.put(sections, { ids: [a, b], seen: [a, b] })
  expect([late.status, late.body.error.details.reason]).toEqual([409, 'order_changed'])
  expect((await shown(courseId)).map(({ id }) => id)).toEqual([b, a])

  const [one, two] = [await newLesson(institute, a), await newLesson(institute, a)]
  const lessons = `/sections/${a}/lessons/order`
  const three = await newLesson(institute, a)
  const stale = await owner.put(lessons, { ids: [two, one], seen: [one, two] })
  expect([stale.status, stale.body.error.details.reason]).toEqual([409, 'order_changed'])
  expect((await owner.put(lessons, { ids: [three, two, one], seen: [one, two, three] })).status).toBe(200)
  expect((await owner.put(lessons, { ids: [one, two, three], seen: ['x'] })).status).toBe(422)
  // Who does not say it has the last word.
  expect((await owner.put(lessons, { ids: [two, one, three] })).status).toBe(200)
})

test('of two who sort at once, each as they saw it, one is told that the other was first', async () => {
  const courseId = await newVideoCourse(institute)
  const seen = [
    await newSection(institute, courseId),
    await newSection(institute, courseId),
    await newSection(institute, courseId),
  ]
  const [a, b, c] = seen
  const replies = await Promise.all(
    [
      [c, a, b],
      [b, c, a],
    ].map((ids) => owner.put(`/courses/${courseId}/sections/order`, { ids, seen })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const won = replies.find(({ status }) => status === 200)
  expect((await shown(courseId)).map(({ id }) => id)).toEqual(won?.body.data.map(({ id }: { id: string }) => id))
})
