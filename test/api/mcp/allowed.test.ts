import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { connectMcp } from '#kit/mcp.ts'
import { grantTo, type TestGrant } from '#kit/oauth.ts'

/** An assistant that a member let in over OAuth, at //mcp. */

const BASE = 'https://office.example.org'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp({ config: { baseUrl: BASE } })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

const newMember = () => institute.member({ permissions: ['students.read', 'mcp.access'] })

const discover = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const ask = (credential: string | null): Promise<Reply> =>
  app.send('POST', '//mcp', {
    raw: JSON.stringify(discover),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
    },
  })

describe('an assistant that a member let in', () => {
  test('has the tools of the member, and calls them as the member', async () => {
    const member = await newMember()
    await institute.owner.post('/students', {
      firstName: 'Noor',
      lastName: 'Haddad',
      branchId: institute.branchId,
    })
    const { accessToken } = await grantTo(app, member, institute.tenant.id)
    const assistant = await connectMcp(app, accessToken)
    const names = await assistant.names()
    expect(names).toContain('students_find')
    expect(names).not.toContain('payment_record')
    const found = await assistant.call('students_find', { q: 'Noor' })
    expect(found.content.result.data).toEqual([expect.objectContaining({ firstName: 'Noor', lastName: 'Haddad' })])
  })

  test.each<
    [what: string, end: (member: { membershipId: string } & TestInstitute['owner'], grant: TestGrant) => unknown]
  >([
    [
      'the grant',
      async (member) => {
        const { body } = await member.get('/me/grants')
        return member.delete(`/me/grants/${body.data[0].id}`)
      },
    ],
    ['the membership', ({ membershipId }) => institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' })],
  ])('is refused from the next call on when %s has ended', async (_, end) => {
    const member = await newMember()
    const grant = await grantTo(app, member, institute.tenant.id)
    expect((await ask(grant.accessToken)).status).toBe(200)
    await end(member, grant)
    expect([401, 403]).toContain((await ask(grant.accessToken)).status)
  })
})

test('a token of a sign-in is none for //mcp, and one of an assistant is none for the API', async () => {
  const member = await newMember()
  const { accessToken } = await grantTo(app, member, institute.tenant.id)
  const metadata = `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp"`
  for (const credential of [member.credential, null]) {
    const { status, headers } = await ask(credential)
    expect([status, headers.get('www-authenticate')]).toEqual([401, metadata])
  }
  const { status } = await app.send('GET', '/students', { headers: { authorization: `Bearer ${accessToken}` } })
  expect(status).toBe(401)
})
