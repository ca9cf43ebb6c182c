import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { fill, flag, idAt, nthId, nthInstant, runSql, text } from '#kit/fill.ts'
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

  test.each(['Ünï_2.0-beta', 'ΟΔΟΣ', '..', 'a--b', 'עברית_1', 'हिन्दी', '-', 'x'.repeat(150)])(
    'the slug %j is stored as given, and conflicts in any case',
    async (slug) => {
      const { owner } = await makeInstitute(app)
      const { status, body } = await owner.post('/course-categories', { name: 'x', slug })
      expect([status, body.slug]).toEqual([201, slug])
      for (const taken of [slug, slug.toUpperCase(), slug.toLowerCase()]) {
        expect((await owner.post('/course-categories', { name: 'y', slug: taken })).status).toBe(409)
      }
      // Its own slug in another case does not conflict with itself.
      const renamed = await owner.patch(`/course-categories/${body.id}`, { slug: slug.toUpperCase() })
      expect([renamed.status, renamed.body.slug]).toEqual([200, slug.toUpperCase()])
    },
  )

  test.each(['', 'a b', 'a/b', 'a?', '½', 'a\u200d', '😀', 'x'.repeat(151)])('the slug %j is 422', async (slug) => {
    const { status, body } = await institute.owner.post('/course-categories', { name: 'x', slug })
    expect(status).toBe(422)
    expect(body.error.details.issues[0].path).toEqual(['slug'])
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

  test('two concurrent moves never make a cycle', async () => {
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

const DEEPEST = 16

/** Makes so many categories, each below the one before. @returns their ids */
const chain = async (owner: Client, name: string, length: number): Promise<string[]> => {
  const ids: string[] = []
  for (let level = 1; level <= length; level += 1) {
    const slug = `${name}-${level}`
    const { status, body } = await owner.post('/course-categories', { name: slug, slug, parentId: ids.at(-1) })
    expect(status).toBe(201)
    ids.push(body.id as string)
  }
  return ids
}

describe('categories nest at most 16 deep', () => {
  test('the 17th level is 422, for a new category and for a move of one with descendants', async () => {
    const { owner } = await makeInstitute(app)
    const ids = await chain(owner, 'deep', DEEPEST)
    const below = { name: 'x', slug: 'x', parentId: ids.at(-1) }
    const refused = await owner.post('/course-categories', below)
    expect(refused.status).toBe(422)
    expect(refused.body.error.details.issues[0].path).toEqual(['parentId'])

    const three = await chain(owner, 'three', 3)
    const move = (id: string | undefined, parentId: string | undefined) =>
      owner.patch(`/course-categories/${id}`, { parentId })
    expect((await move(three[0], ids[DEEPEST - 3])).status).toBe(422)
    expect((await move(three[0], ids[DEEPEST - 4])).status).toBe(200)
    expect((await move(three[2], ids.at(-1))).status).toBe(422)
    expect((await move(three[2], ids.at(-2))).status).toBe(200)
  })

  test('of two concurrent changes that together would nest 17 deep one is refused', async () => {
    const { owner } = await makeInstitute(app)
    for (let round = 0; round < 5; round += 1) {
      const upper = await chain(owner, `upper-${round}`, 2)
      const lower = await chain(owner, `lower-${round}`, DEEPEST - 2)
      const replies = await Promise.all([
        owner.patch(`/course-categories/${lower[0]}`, { parentId: upper.at(-1) }),
        owner.post('/course-categories', { name: 'x', slug: `x-${round}`, parentId: lower.at(-1) }),
      ])
      expect(replies.filter(({ status }) => status === 422)).toHaveLength(1)
    }
  })

  test('a deeper tree from an earlier version can be read and repaired', async () => {
    const { owner, tenant } = await makeInstitute(app)
    const COUNT = 3000
    const at = nthInstant('n')
    const parentless = engine === 'postgres' ? 'null::uuid' : 'null'
    // Each row refers to the one before it, which must exist when the statement ends.
    await fill(app, 'course_category', COUNT, {
      id: nthId('course_category', 'n'),
      tenant_id: engine === 'postgres' ? `${text(tenant.id)}::uuid` : text(tenant.id),
      parent_id: `case when n = 1 then ${parentless} else ${nthId('course_category', 'n - 1')} end`,
      name: `'Level ' || n`,
      slug: `'level-' || n`,
      slug_key: `'level-' || n`,
      sort_order: '0',
      is_active: flag(true),
      created_at: at,
      updated_at: at,
    })
    if (engine === 'postgres') await runSql(app, 'analyze course_category')

    const { status, body } = await owner.get('/course-categories')
    expect(status).toBe(200)
    let level = body as { name: string; parentId: string | null; children: unknown[] }[]
    for (let depth = 1; depth < DEEPEST; depth += 1) {
      expect(level.map(({ name }) => name)).toEqual([`Level ${depth}`])
      level = level[0]?.children as typeof level
    }
    expect(level).toHaveLength(COUNT - DEEPEST + 1)
    expect(level.map(({ parentId }) => parentId)).toEqual(
      Array.from({ length: level.length }, (_, index) => idAt('course_category', DEEPEST - 1 + index)),
    )

    const last = idAt('course_category', COUNT)
    const renamed = { name: 'Renamed', parentId: idAt('course_category', COUNT - 1) }
    expect((await owner.patch(`/course-categories/${last}`, renamed)).status).toBe(200)
    expect((await owner.patch(`/course-categories/${last}`, { parentId: null })).status).toBe(200)
    const whole = idAt('course_category', 2)
    expect((await owner.patch(`/course-categories/${whole}`, { parentId: null })).status).toBe(422)
    const more = await owner.post('/course-categories', { name: 'x', slug: 'x' })
    expect(more).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { most: 1000 } } } })
  })
})
