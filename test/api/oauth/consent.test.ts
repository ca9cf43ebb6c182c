import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { approval, CALLBACK, joinInstitute, newVerifier, register } from '#kit/oauth.ts'
import { auditOf, impersonate } from '#kit/sign-in.ts'

const BASE = 'https://office.example.org'

let app: TestApp
let institute: TestInstitute
let member: TestMember
let tenantId: string
let clientId: string

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: BASE } })
  institute = await makeInstitute(app, { features: { mcp: true } })
  tenantId = institute.tenant.id
  clientId = (await register(app, { redirect_uris: [CALLBACK, 'https://helper.example.org/back?kept=1'] })).body
    .client_id
})
// Each has asked for nothing in the last minute.
beforeEach(async () => {
  member = await institute.member({ permissions: ['students.read', 'mcp.access'] })
})
afterAll(() => app.close())

const codeOf = ({ status, body }: Reply): string => `${status} ${body.error?.code}`
const context = (given: Record<string, string>, as = member) =>
  as.get(`/oauth/consent-context?${new URLSearchParams({ clientId, redirectUri: CALLBACK, ...given }).toString()}`)
const consent = (given: Record<string, unknown> = {}, as: Pick<TestMember, 'post'> = member) =>
  as.post('/oauth/consent', { ...approval(clientId, tenantId, newVerifier().codeChallenge), ...given })
const grants = () => app.app.database.read.selectFrom('oauth_grant').select('id').execute()

describe('a redirect URI', () => {
  test.each([
    `${CALLBACK}/`,
    `${CALLBACK}?x=1`,
    `${CALLBACK}#x`,
    'http://127.0.0.1:3000/Callback',
    'http://127.0.0.1:3000/callbac',
    'http://127.0.0.1:3000/callback2',
    'http://127.0.0.1:3000/%63allback',
    'http://127.0.0.1:3000/a/../callback',
    'http://127.0.0.1@evil.example.org/callback',
    'http://127.0.0.1.evil.example.org/callback',
    'http://127.0.0.1:3000@evil.example.org/callback',
    'http://localhost:3000/callback',
    'http://[::1]:3000/callback',
    'https://127.0.0.1:3000/callback',
    'HTTP://127.0.0.1:3000/callback',
    'https://helper.example.org/back',
    'https://helper.example.org:444/back?kept=1',
    'https://helper.example.org/back?kept=2',
    'javascript:alert(1)',
    'nothing',
  ])('that differs is refused and nothing is given: %s', async (redirectUri) => {
    const before = await grants()
    expect(codeOf(await context({ redirectUri }))).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    expect(codeOf(await consent({ redirectUri }))).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    expect(codeOf(await consent({ redirectUri, approve: false }))).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    expect(await grants()).toEqual(before)
  })

  test('that was registered before its kind was refused is refused, in words', async () => {
    const redirectUri = 'ms-officecmd://back'
    await app.app.database.write((db) =>
      db
        .updateTable('oauth_client')
        .set({ redirect_uris: [CALLBACK, 'https://helper.example.org/back?kept=1', redirectUri] })
        .where('id', '=', clientId)
        .execute(),
    )
    const refused = await context({ redirectUri })
    expect(codeOf(refused)).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    expect(refused.body.error.message).toContain('a domain in reverse')
    expect(codeOf(await consent({ redirectUri }))).toBe('400 OAUTH_INVALID_REDIRECT_URI')
    expect((await context({})).status).toBe(200)
  })

  test.each(['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback', 'http://127.0.0.1:65535/callback'])(
    'of this computer may have another port: %s (RFC 8252, 7.3)',
    async (redirectUri) => {
      expect((await context({ redirectUri })).status).toBe(200)
      const { status, body } = await consent({ redirectUri })
      expect(status).toBe(200)
      expect(body.redirectTo).toMatch(`${redirectUri}?code=`)
    },
  )

  test('keeps its query (RFC 6749, 3.1.2)', async () => {
    const { body } = await consent({ redirectUri: 'https://helper.example.org/back?kept=1', state: 'ä&=?#' })
    expect(body.redirectTo).toMatch(/^https:\/\/helper\.example\.org\/back\?kept=1&code=/)
    expect(new URL(body.redirectTo).searchParams.get('state')).toBe('ä&=?#')
    expect(new URL(body.redirectTo).searchParams.get('iss')).toBe(BASE)
  })
})

describe('what is asked for', () => {
  test('another resource is refused (RFC 8707)', async () => {
    for (const resource of ['https://elsewhere.example.org/mcp', BASE, `${BASE}/api/v1`, `${BASE}/mcp/x`, 'mcp']) {
      expect(codeOf(await context({ resource })), resource).toBe('422 VALIDATION_ERROR')
      expect(codeOf(await consent({ resource })), resource).toBe('422 VALIDATION_ERROR')
    }
    for (const resource of [`${BASE}/mcp`, `${BASE}/mcp/`, 'https://OFFICE.example.org/mcp']) {
      expect((await context({ resource })).body.resource).toBe(`${BASE}/mcp`)
    }
  })

  test('whatever the scope, it is mcp', async () => {
    expect((await context({ scope: 'mcp offline_access admin' })).body.scopes).toEqual(['mcp'])
  })

  test.each([
    [{ codeChallengeMethod: 'plain' }],
    [{ codeChallengeMethod: undefined }],
    [{ codeChallenge: undefined }],
    [{ codeChallenge: 'short' }],
    [{ codeChallenge: `${'a'.repeat(42)}=` }],
    [{ tenantId: undefined }],
    [{ tenantId: 'x' }],
    [{ approve: undefined }],
    [{ state: 'x'.repeat(4001) }],
    [{ clientId: '' }],
    [{ redirectUri: undefined }],
  ])('with %j nothing is given', async (given) => {
    const before = await grants()
    expect(codeOf(await consent(given))).toBe('422 VALIDATION_ERROR')
    expect(await grants()).toEqual(before)
  })

  test('an unknown client is told from one that is known', async () => {
    const unknown = { clientId: '01890a5d-ac96-774b-bcce-b302099a8057' }
    expect(codeOf(await context(unknown))).toBe('404 OAUTH_CLIENT_NOT_FOUND')
    expect(codeOf(await consent(unknown))).toBe('404 OAUTH_CLIENT_NOT_FOUND')
    expect(codeOf(await consent({ ...unknown, approve: false }))).toBe('404 OAUTH_CLIENT_NOT_FOUND')
  })
})

describe('who may let an assistant in', () => {
  test('is a member with mcp.access, where the feature is on', async () => {
    const without = await institute.member({ permissions: ['students.write'] })
    const off = await makeInstitute(app)
    const elsewhere = await makeInstitute(app, { features: { mcp: true } })
    expect((await context({}, without)).body.tenants).toMatchObject([{ tenantId, allowed: false }])
    expect((await context({}, off.owner as TestMember)).body.tenants).toMatchObject([{ allowed: false }])
    const before = await grants()
    for (const refused of [
      await consent({}, without),
      await consent({ tenantId: off.tenant.id }, off.owner),
      await consent({ tenantId: elsewhere.tenant.id }),
      await consent({ tenantId: '01890a5d-ac96-774b-bcce-b302099a8057' }),
    ]) {
      expect(codeOf(refused)).toBe('403 OAUTH_ACCESS_DENIED')
    }
    expect(await grants()).toEqual(before)
  })

  test('chooses among their institutes', async () => {
    const second = await makeInstitute(app, { features: { mcp: true } })
    const both = await institute.member({ permissions: ['students.read', 'mcp.access'] })
    const membershipId = await joinInstitute(app, second, {
      userId: both.userId,
      permissions: ['attendance.mark', 'mcp.access'],
    })
    expect((await context({}, both)).body.tenants).toMatchObject([
      { tenantId, membershipId: both.membershipId, allowed: true, permissions: ['students.read', 'mcp.access'] },
      { tenantId: second.tenant.id, membershipId, allowed: true },
    ])
    expect((await consent({ tenantId: second.tenant.id }, both)).status).toBe(200)
    expect((await auditOf(app, 'oauth.consent')).at(-1)).toMatchObject({
      tenant_id: second.tenant.id,
      actor_user_id: both.userId,
      entity_type: 'oauth_grant',
      after: { clientId, clientName: 'Helper', membershipId, redirectUri: CALLBACK },
    })
  })

  test('is nobody in somebody else’s name, no API key, and nobody who is not signed in', async () => {
    const admin = await impersonate(app, { userId: member.userId, tenantId })
    const before = await grants()
    for (const approve of [true, false]) {
      const refused = await consent({ approve }, admin)
      expect(refused).toMatchObject({ status: 403, body: { error: { details: { reason: 'impersonated' } } } })
    }
    const key = await institute.owner.post('/api-keys', { name: 'Key', permissions: ['mcp.access'] })
    expect(codeOf(await consent({}, app.as(key.body.key)))).toBe('403 FORBIDDEN')
    expect((await consent({}, app)).status).toBe(401)
    expect(await grants()).toEqual(before)
  })
})

test('no secret is in the log of what happened', async () => {
  await consent({ state: 'a state of the client' })
  const entries = await app.app.database.read.selectFrom('audit_entry').selectAll().execute()
  const written = JSON.stringify(entries.filter(({ action }) => action.startsWith('oauth.')))
  expect(written).not.toMatch(/code_challenge|codeChallenge|a state of the client|[\w-]{86}/)
})
