import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const create = async (slug: string, more = {}) =>
  (await institute.owner.post('/course-categories', { name: slug, slug, ...more })).body

describe('course categories', () => {
  test('POST answers 201 with sortOrder 0 and isActive true by default', async () => {
    const { status, body } = await institute.owner.post('/course-categories', { name: 'لغات', slug: 'لغات' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      parentId: null,
      name: 'لغات',
      slug: 'لغات',
      sortOrder: 0,
      isActive: true,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await institute.owner.get(`/course-categories/${body.id}`)).body).toEqual(body)
  })

  test('the list is a tree: children nested, siblings by sortOrder', async () => {
    const { owner } = await makeInstitute(app)
    const root = (await owner.post('/course-categories', { name: 'Root', slug: 'root' })).body
    const second = { name: 'B', slug: 'b', parentId: root.id, sortOrder: 2 }
    const first = { name: 'A', slug: 'a', parentId: root.id, sortOrder: 1 }
    for (const child of [second, first]) await owner.post('/course-categories', child)
    const { body } = await owner.get('/course-categories')
    expect(body).toMatchObject([{ slug: 'root', children: [{ slug: 'a', children: [] }, { slug: 'b' }] }])
  })

  test('a slug is unique in the institute: 409', async () => {
    await create('once')
    expect((await institute.owner.post('/course-categories', { name: 'x', slug: 'once' })).status).toBe(409)
    const other = await create('other')
    expect((await institute.owner.patch(`/course-categories/${other.id}`, { slug: 'Once' })).status).toBe(409)
  })

  test('a parent that does not exist is 404; one at or below the category itself is 422', async () => {
    const missing = '0198c0de-0000-7000-8000-000000000000'
    const body = { name: 'x', slug: 'orphan', parentId: missing }
    expect((await institute.owner.post('/course-categories', body)).status).toBe(404)
    const top = await create('top')
    const below = await create('below', { parentId: top.id })
    for (const parentId of [top.id, below.id]) {
      const refused = await institute.owner.patch(`/course-categories/${top.id}`, { parentId })
      expect(refused.status).toBe(422)
      expect(refused.body.error.details.issues[0].path).toEqual(['parentId'])
    }
    expect((await institute.owner.patch(`/course-categories/${below.id}`, { parentId: null })).body.parentId).toBeNull()
  })

  test('two moves at once never close a circle', async () => {
    const a = await create('circle-a')
    const b = await create('circle-b')
    const statuses = await Promise.all([
      institute.owner.patch(`/course-categories/${a.id}`, { parentId: b.id }),
      institute.owner.patch(`/course-categories/${b.id}`, { parentId: a.id }),
    ])
    expect(statuses.map((reply) => reply.status).toSorted()).toEqual([200, 422])
  })

  test('DELETE is 409 while a category has children, else Ok', async () => {
    const parent = await create('parent')
    const child = await create('child', { parentId: parent.id })
    const refused = await institute.owner.delete(`/course-categories/${parent.id}`)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    for (const { id } of [child, parent]) {
      expect(await institute.owner.delete(`/course-categories/${id}`)).toMatchObject({
        status: 200,
        body: { ok: true },
      })
    }
  })

  test('under a role for one branch they can be read but not written', async () => {
    const { branchId } = institute
    const manager = await institute.member({ role: 'branch_manager', branchId })
    expect((await manager.get('/course-categories')).status).toBe(200)
    expect((await manager.post('/course-categories', { name: 'x', slug: 'x' })).status).toBe(403)
  })
})
