import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'

/** 30 registrations a minute from one address, 300 a day with one key. */

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { trustedProxies: 1, accessTokenSeconds: 2 * 86_400 } })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const pageKey = async (): Promise<Client> =>
  app.as((await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })).key)

const send = (from: Client, address: string, body: object = registration()): Promise<Reply> =>
  from.send('POST', '/public/registrations', { body, headers: { origin: SITE, 'x-forwarded-for': address } })

/** Sends it so many times, one after the other. */
const times = async (count: number, one: (n: number) => Promise<Reply>): Promise<Reply[]> => {
  const replies: Reply[] = []
  for (let n = 0; n < count; n += 1) replies.push(await one(n))
  return replies
}

const statuses = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))]
const refusal = ({ status, body, headers }: Reply) => [status, body.error?.code, Number(headers.get('retry-after'))]

describe('from one address', () => {
  test('the 31st registration within a minute is 429 with Retry-After, whatever the others’ result', async () => {
    const [one, other] = [await pageKey(), await pageKey()]
    const first = await send(one, '192.0.2.1')
    expect(first.status).toBe(201)
    expect(first.headers.get('ratelimit-limit')).toBe('30')
    expect(first.headers.get('ratelimit-remaining')).toBe('29')
    expect(statuses(await times(14, () => send(one, '192.0.2.1', {})))).toEqual([422])
    app.clock.advance(20)
    expect(statuses(await times(15, () => send(other, '192.0.2.1')))).toEqual([201])
    const refused = await send(other, '192.0.2.1')
    expect(refusal(refused)).toEqual([429, 'RATE_LIMITED', 40])
    expect(refused.headers.get('ratelimit-limit')).toBe('30')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('ratelimit-reset')).toBe('40')
    expect((await send(one, '192.0.2.2')).status).toBe(201)
    expect((await one.send('GET', '/public/courses', { headers: { origin: SITE } })).status).toBe(200)
    app.clock.advance(40)
    expect((await send(other, '192.0.2.1')).status).toBe(201)
  })

  test('an IPv6 /64 counts as one', async () => {
    const site = await pageKey()
    const replies = await times(31, (n) => send(site, `2001:db8:0:1::${n.toString(16)}`, {}))
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 422), 429])
    expect((await send(site, '2001:db8:0:2::1', {})).status).toBe(422)
  })

  test('the list of courses has its own limit, and does not count against the key', async () => {
    const site = await pageKey()
    const list = (address: string) =>
      site.send('GET', '/public/courses', { headers: { origin: SITE, 'x-forwarded-for': address } })
    const { readsPerMinuteOfAddress } = DEFAULTS.publicLimits
    expect(statuses(await times(readsPerMinuteOfAddress, () => list('192.0.2.3')))).toEqual([200])
    expect(refusal(await list('192.0.2.3'))).toEqual([429, 'RATE_LIMITED', 60])
    expect((await list('192.0.2.4')).status).toBe(200)
    expect((await send(site, '192.0.2.3')).status).toBe(201)
  })
})

describe('with one key', () => {
  test('300 registrations that are kept are a day; what is refused takes nothing from it', async () => {
    const { registrationsADayOfKey } = DEFAULTS.publicLimits
    expect(registrationsADayOfKey).toBe(300)
    const site = await pageKey()
    expect(statuses(await times(310, (n) => send(site, `198.51.100.${n % 250}`, {})))).toEqual([422])
    expect((await send(site, '203.0.113.1')).status).toBe(201)
  })
})

test('requests without a valid key count against neither', async () => {
  const site = await pageKey()
  expect(statuses(await times(40, () => send(app, '192.0.2.9')))).toEqual([401])
  expect((await send(site, '192.0.2.9')).status).toBe(201)
})

test('the API document states the limits', async () => {
  const { body } = await app.get('//openapi.json')
  const { description } = body.paths['/public/registrations'].post
  expect(description).toContain('At most 30 requests a minute from one IPv4 address or IPv6 /64 (429).')
  expect(description).toContain('At most 300 requests a day with one credential (429). Only those that are kept count.')
  expect(description).toContain('requests of one institute start in a second; others wait for their turn')
})
