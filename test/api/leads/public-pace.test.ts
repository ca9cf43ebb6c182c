import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'

/** The registrations of one institute start one after the other. Here the second one would wait for ten seconds. */

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  const publicLimits = { ...DEFAULTS.publicLimits, registrationsPerSecondOfInstitute: 0.1 }
  app = await startApp({ config: { publicLimits } })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const pageKey = async (of: TestInstitute): Promise<Client> =>
  app.as((await newApiKey(of, { kind: 'publishable', allowedOrigins: [SITE] })).key)

const send = (from: Client) =>
  from.send('POST', '/public/registrations', { body: registration(), headers: { origin: SITE } })

const students = async () => (await institute.owner.get('/students')).body.data.map(({ id }: { id: string }) => id)

test('a registration that would wait for too long is 429 with Retry-After, with every key of the institute, and changes nothing', async () => {
  const [one, other] = [await pageKey(institute), await pageKey(institute)]
  expect((await send(one)).status).toBe(201)
  const before = await students()
  expect(before).toHaveLength(1)
  for (const site of [one, other]) {
    const { status, body, headers } = await send(site)
    expect([status, body.error?.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '5'])
    expect(body.error?.message).toContain('nothing was changed')
    expect(headers.get('access-control-allow-origin')).toBe(SITE)
  }
  expect(await students()).toEqual(before)
})

test('the institute’s own people, its public courses and other institutes do not wait', async () => {
  const site = await pageKey(institute)
  expect((await site.send('GET', '/public/courses', { headers: { origin: SITE } })).status).toBe(200)
  const student = { branchId: institute.branchId, firstName: 'Yara', lastName: 'Nasser' }
  expect((await institute.owner.post('/students', student)).status).toBe(201)
  const neighbour = await makeInstitute(app)
  expect((await send(await pageKey(neighbour))).status).toBe(201)
})
