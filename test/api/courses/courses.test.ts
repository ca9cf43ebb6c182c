import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newCourse, newGroup } from '../examples/academics.ts'
import { newCategory } from '../examples/course-categories.ts'

let app: TestApp
let institute: TestInstitute
let world: World

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  world = { app, institute, owner: institute.owner, branchId: institute.branchId, serial: 1 }
})
afterAll(() => app.close())

describe('courses', () => {
  test('POST answers 201 with the given values and the defaults of the others', async () => {
    const categoryId = await newCategory(world)
    const { status, body } = await institute.owner.post('/courses', { categoryId, name: 'Arabic', code: '' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      categoryId,
      code: null,
      name: 'Arabic',
      description: null,
      level: null,
      defaultFeeMinor: null,
      currency: 'ILS',
      defaultCapacity: null,
      color: null,
      isActive: true,
      isPublic: false,
      language: null,
      deliveryMode: 'group',
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await institute.owner.get(`/courses/${body.id}`)).body).toEqual(body)
    expect((await auditOf(app, institute, 'courses.create')).at(-1)).toMatchObject({ entity_id: body.id, after: body })
  })

  test('PATCH changes the given fields, null clears, the others stay', async () => {
    const id = await newCourse(world, { level: 'A1', defaultFeeMinor: 100 })
    const { body } = await institute.owner.patch(`/courses/${id}`, { level: null, isActive: false })
    expect(body).toMatchObject({ level: null, isActive: false, defaultFeeMinor: 100, name: 'English' })
  })

  test('a category that does not exist is 404; a code that another course has is 409', async () => {
    const categoryId = '0198c0de-0000-7000-8000-000000000000'
    expect((await institute.owner.post('/courses', { categoryId, name: 'x' })).status).toBe(404)
    const id = await newCourse(world, { code: 'EN-1' })
    expect((await institute.owner.patch(`/courses/${id}`, { categoryId })).status).toBe(404)
    const again = await institute.owner.post('/courses', {
      categoryId: await newCategory(world),
      name: 'x',
      code: 'EN-1',
    })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    const other = await newCourse(world)
    expect((await institute.owner.patch(`/courses/${other}`, { code: 'EN-1' })).status).toBe(409)
  })

  test('the list filters by category and by isActive', async () => {
    const categoryId = await newCategory(world)
    const on = await newCourse(world, { categoryId })
    const off = await newCourse(world, { categoryId, isActive: false })
    const ids = async (query: string) =>
      (await institute.owner.get(`/courses?categoryId=${categoryId}${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids('')).toEqual([off, on])
    expect(await ids('&isActive=true')).toEqual([on])
    expect(await ids('&isActive=false')).toEqual([off])
  })

  test('the list searches name and code, however they are spelled, beside its filters', async () => {
    const categoryId = await newCategory(world)
    const named = await newCourse(world, { categoryId, name: 'أساسيات البرمجة' })
    const coded = await newCourse(world, { categoryId, name: 'Chess', code: 'CH-77' })
    const off = await newCourse(world, { categoryId, name: 'Chess for two', isActive: false })
    const ids = async (q: string, more = '') =>
      (await institute.owner.get(`/courses?q=${encodeURIComponent(q)}${more}`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids('اساسيات')).toEqual([named])
    expect(await ids('ch-77')).toEqual([coded])
    expect(await ids('chess')).toEqual([off, coded])
    expect(await ids('chess', '&isActive=true')).toEqual([coded])
    expect(await ids('nothing')).toEqual([])
  })

  test('DELETE is 409 with groups, else Ok; a category with courses cannot be deleted', async () => {
    const categoryId = await newCategory(world)
    const courseId = await newCourse(world, { categoryId })
    expect((await institute.owner.delete(`/course-categories/${categoryId}`)).status).toBe(409)
    const groupId = await newGroup(world, { courseId })
    expect((await institute.owner.delete(`/courses/${courseId}`)).status).toBe(409)
    await institute.owner.delete(`/groups/${groupId}`)
    expect(await institute.owner.delete(`/courses/${courseId}`)).toMatchObject({ status: 200, body: { ok: true } })
  })
})
