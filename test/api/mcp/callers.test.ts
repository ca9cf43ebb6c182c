import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newKey } from '#kit/mcp.ts'
import { grantTo } from '#kit/oauth.ts'
import { impersonate } from '#kit/sign-in.ts'

/** The limits of who comes in at //mcp, and who does not come in. */

const PER_MINUTE = 4

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp({ config: { limits: { ...DEFAULTS.limits, userPerMinute: PER_MINUTE } } })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

const ask = (caller: Client, name = 'students_find'): Promise<Reply> =>
  caller.send('POST', '//mcp', {
    raw: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  })

const statuses = async (times: number, one: () => Promise<Reply>): Promise<number[]> => {
  const found: number[] = []
  for (let index = 0; index < times; index += 1) found.push((await one()).status)
  return found
}

describe('the limit of requests', () => {
  test('counts a tool call once, and refuses those beyond it with the wait, until the minute is over', async () => {
    const { body } = await institute.owner.post('/api-keys', {
      name: 'Assistant',
      permissions: ['mcp.access', 'students.read'],
      rateLimitPerMin: 3,
    })
    const key = app.as(body.key)
    expect(await statuses(4, () => ask(key))).toEqual([200, 200, 200, 429])
    const refused = await ask(key)
    expect(refused.body.error.code).toBe('RATE_LIMITED')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    app.clock.advance(61)
    expect((await ask(key)).status).toBe(200)
  })

  test('is one for a member and all assistants of theirs', async () => {
    const member = await institute.member({ permissions: ['mcp.access', 'students.read'] })
    // Consent is a request of the member too.
    const { accessToken } = await grantTo(app, member, institute.tenant.id)
    app.clock.advance(61)
    const assistant = app.as(accessToken)
    expect(await statuses(PER_MINUTE - 1, () => ask(assistant))).toEqual(Array(PER_MINUTE - 1).fill(200))
    expect((await member.get('/students')).status).toBe(200)
    expect((await ask(assistant)).status).toBe(429)
    expect((await member.get('/students')).status).toBe(429)
  })

  test('counts calls that are refused as well', async () => {
    const key = app.as(await newKey(institute, ['mcp.access']))
    const reply = await ask(key)
    expect(reply.body).toContain('FORBIDDEN')
    expect(reply.headers.get('ratelimit-remaining')).not.toBe((await ask(key)).headers.get('ratelimit-remaining'))
  })
})

test('support that signed in as a member does not come in, and lets no assistant in', async () => {
  const member = await institute.member({ permissions: ['mcp.access', 'students.read'] })
  const support = await impersonate(app, { userId: member.userId, tenantId: institute.tenant.id })
  expect((await support.get('/students')).status).toBe(200)
  const { status, body } = await ask(support)
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  await expect(grantTo(app, support, institute.tenant.id)).rejects.toThrow('impersonated')
})
