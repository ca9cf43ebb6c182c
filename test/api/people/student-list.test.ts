import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

const names = { firstName: 'Dana', lastName: 'Levi' }

const add = async (more: Record<string, unknown> = {}, to: TestInstitute = institute) => {
  const { status, body } = await to.owner.post('/students', { branchId: to.branchId, ...names, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const ids = (page: { body: { data: { id: string }[] } }): string[] => page.body.data.map(({ id }) => id)

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

describe('GET /students', () => {
  test('finds who has an identity number, exactly, and narrows it by the other filters', async () => {
    const fresh = await makeInstitute(app)
    const a = await add({ nationalId: '12345678' }, fresh)
    await add({ nationalId: '123456789' }, fresh)
    await add({}, fresh)
    expect(ids(await fresh.owner.get('/students?nationalId=12345678'))).toEqual([a.id])
    expect(ids(await fresh.owner.get('/students?nationalId=%2012345678%20&q=levi'))).toEqual([a.id])
    expect(ids(await fresh.owner.get('/students?nationalId=12345678&status=active'))).toEqual([])
    expect((await fresh.owner.get('/students?nationalId=')).status).toBe(422)
  })

  test('is newest first, and pages stay stable while students are added', async () => {
    const fresh = await makeInstitute(app)
    const made: string[] = []
    for (let count = 0; count < 7; count += 1) {
      if (count % 2 === 0) app.clock.advance(60)
      made.unshift((await add({}, fresh)).id)
    }
    const first = await fresh.owner.get('/students?limit=3')
    await add({}, fresh)
    const second = await fresh.owner.get(`/students?limit=3&cursor=${first.body.nextCursor}`)
    const third = await fresh.owner.get(`/students?limit=3&cursor=${second.body.nextCursor}`)
    expect([first, second, third].flatMap(ids)).toEqual(made)
    expect(third.body.nextCursor).toBeNull()
    expect((await fresh.owner.get('/students?limit=101')).status).toBe(422)
    expect((await fresh.owner.get(`/guardians?cursor=${first.body.nextCursor}`)).status).toBe(422)
  })

  test('shows a student as POST does', async () => {
    const fresh = await makeInstitute(app)
    const student = await add({}, fresh)
    expect((await fresh.owner.get('/students')).body).toEqual({ data: [student], nextCursor: null })
  })

  test('filters by status, branch and tag, alone and together', async () => {
    const fresh = await makeInstitute(app)
    const { body: north } = await fresh.owner.post('/branches', { name: 'North' })
    const [a, b, c] = [await add({}, fresh), await add({}, fresh), await add({ branchId: north.id }, fresh)]
    for (const { id } of [a, c]) await fresh.owner.patch(`/students/${id}`, { tags: ['choir', 'bus'] })
    for (const { id } of [b, c]) await fresh.owner.post(`/students/${id}/status`, { status: 'active' })
    const list = async (query: string) => ids(await fresh.owner.get(`/students?${query}`))
    expect(await list('status=active')).toEqual([c.id, b.id])
    expect(await list(`branchId=${north.id}`)).toEqual([c.id])
    expect(await list('tag=choir')).toEqual([c.id, a.id])
    expect(await list(`tag=choir&status=lead&branchId=${fresh.branchId}&q=dana`)).toEqual([a.id])
    expect(await list('tag=Choir')).toEqual([])
    expect((await fresh.owner.get('/students?status=asleep')).status).toBe(422)

    const first = await fresh.owner.get('/students?tag=bus&limit=1')
    expect(ids(first)).toEqual([c.id])
    expect(ids(await fresh.owner.get(`/students?tag=bus&limit=1&cursor=${first.body.nextCursor}`))).toEqual([a.id])
    await fresh.owner.patch(`/students/${c.id}`, { tags: ['bus'] })
    expect(await list('tag=choir')).toEqual([a.id])
  })

  describe('q', () => {
    let fresh: TestInstitute
    const of: Record<string, string> = {}
    const list = async (q: string) => ids(await fresh.owner.get(`/students?q=${encodeURIComponent(q)}`))

    beforeAll(async () => {
      fresh = await makeInstitute(app)
      const people = {
        arabic: { firstName: 'مُحَمَّد', lastName: 'الأحمد' },
        hebrew: { firstName: 'שָׂרָה', lastName: 'כהן' },
        latin: { firstName: 'Zoë', lastName: 'Núñez', email: 'zoe.12@example.org', phone: '050-765 4321' },
        other: { firstName: '100%', lastName: 'O’Brien' },
        phoenician: { firstName: '𐤀𐤁𐤂', lastName: 'Hiram' },
      }
      for (const [who, person] of Object.entries(people)) of[who] = (await add(person, fresh)).id
    })

    test.each([
      ['arabic', 'محمد'],
      ['arabic', 'الاحمد'],
      ['arabic', 'أحمد محمّد'],
      ['hebrew', 'שרה'],
      ['hebrew', 'כהנ'],
      ['hebrew', 'כה'],
      ['hebrew', 'שר'],
      ['hebrew', 'ש'],
      ['latin', 'zoe'],
      ['latin', 'NUNEZ Zoë'],
      ['latin', 'nu'],
      ['latin', 'n'],
      ['latin', 'zo n example'],
      ['latin', 'zoe.12@EXAMPLE'],
      ['latin', '050-765 4321'],
      ['latin', '+972 50 765 4321'],
      ['latin', '(050) 765'],
      ['latin', '٠٥٠٧٦٥٤٣٢١'],
      ['latin', 'nunez 050-7654321'],
      ['latin', 'S-000003'],
      ['other', "o'brien"],
      ['other', '100%'],
      ['phoenician', '𐤀'],
      ['phoenician', '𐤀𐤁'],
    ])('finds the %s name by %s', async (who, q) => {
      expect(await list(q)).toEqual([of[who]])
    })

    test.each(['zoe cohen', '%', '__', 'unez" OR "a', 'ـــ', 'ez', 'oe', '"', '"a', '𐤁', 'zo h'])(
      'finds nobody by %j',
      async (q) => {
        expect(await list(q)).toEqual([])
      },
    )

    test('finds a renamed student by the new name, and a deleted one no longer', async () => {
      const { id } = await add({ firstName: 'Before' }, fresh)
      await fresh.owner.patch(`/students/${id}`, { firstName: 'Afterwards' })
      expect(await list('before')).toEqual([])
      expect(await list('be')).toEqual([])
      expect(await list('af')).toEqual([id])
      expect(await list('afterw levi')).toEqual([id])
      await fresh.owner.delete(`/students/${id}`)
      expect(await list('afterw levi')).toEqual([])
      expect(await list('af')).toEqual([])
    })

    test('is 1 to 200 characters', async () => {
      expect((await owner.get('/students?q=')).status).toBe(422)
      expect((await owner.get(`/students?q=${'x'.repeat(201)}`)).status).toBe(422)
    })
  })
})
