import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newCourse } from '../examples/academics.ts'
import { newApiKey } from '../examples/integrations.ts'
import { SITE } from '../examples/leads.ts'

let app: TestApp
let institute: TestInstitute

/** A client that acts as a page of the institute's website. */
const pageOf = async (of: Pick<TestInstitute, 'owner'>, allowedOrigins = [SITE]): Promise<Client> =>
  app.as((await newApiKey(of, { kind: 'publishable', allowedOrigins })).key)

const fresh = async () => {
  const made = await makeInstitute(app)
  return { ...made, from: await pageOf(made) }
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('GET /public/courses', () => {
  const list = (from: Client, query = '') => from.send('GET', `/public/courses${query}`, { headers: { origin: SITE } })

  test('lists only public and active courses, newest first, in pages', async () => {
    const made = await fresh()
    const world = worldOf(app, made)
    const one = await newCourse(world, { name: 'One', isPublic: true })
    await newCourse(world, { name: 'Not public' })
    await newCourse(world, { name: 'Not active', isPublic: true, isActive: false })
    const more = { description: 'For beginners', language: 'en', deliveryMode: 'self_paced', defaultFeeMinor: 100 }
    const two = await newCourse(world, { name: 'Two', isPublic: true, ...more })
    const { categoryId } = (await made.owner.get(`/courses/${two}`)).body
    const category = (await made.owner.get('/course-categories')).body.find((c: { id: string }) => c.id === categoryId)
    const { status, body } = await list(made.from)
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([two, one])
    expect(body.data[0]).toEqual({
      id: two,
      name: 'Two',
      description: 'For beginners',
      language: 'en',
      deliveryMode: 'self_paced',
      categoryName: category.name,
    })
    expect(body.data[1]).toMatchObject({ description: null, language: null, deliveryMode: 'group' })
    const first = (await list(made.from, '?limit=1')).body
    expect(first.data).toEqual([body.data[0]])
    const second = (await list(made.from, `?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)).body
    expect(second).toEqual({ data: [body.data[1]], nextCursor: null })
  })

  test('is empty for an institute without public courses', async () => {
    expect((await list((await fresh()).from)).body).toEqual({ data: [], nextCursor: null })
  })

  test('is for publishable keys from their origins', async () => {
    const secret = app.as((await newApiKey(institute, { permissions: ['courses.read'] })).key)
    for (const from of [secret, institute.owner, await pageOf(institute, ['https://other.example'])]) {
      expect((await list(from)).status).toBe(403)
    }
  })
})
