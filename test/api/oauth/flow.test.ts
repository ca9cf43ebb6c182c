import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import {
  allow,
  approval,
  CALLBACK,
  codeIn,
  exchange,
  newVerifier,
  refreshGrant,
  register,
  sendForm,
} from '#kit/oauth.ts'
import { auditOf } from '#kit/sign-in.ts'

const BASE = 'https://office.example.org'

/** What the program's log says, whole. */
const logged: string[] = []

let app: TestApp
let institute: TestInstitute
let member: TestMember
let tenantId: string

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  app = await startApp({ log, config: { baseUrl: BASE } })
  institute = await makeInstitute(app, { features: { mcp: true } })
  member = await institute.member({ permissions: ['students.read', 'mcp.access'] })
  tenantId = institute.tenant.id
})
afterAll(() => app.close())

const errorOf = ({ status, body }: Reply): string => `${status} ${body.error}`

describe('the whole flow', () => {
  test('a client registers, is let in, gets tokens, renews them, and is shut out', async () => {
    const registered = await register(app)
    expect(registered).toMatchObject({
      status: 201,
      body: { client_name: 'Helper', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    })
    const clientId: string = registered.body.client_id
    const query = new URLSearchParams({ clientId, redirectUri: CALLBACK, scope: 'mcp', resource: `${BASE}/mcp` })
    expect(await member.get(`/oauth/consent-context?${query.toString()}`)).toMatchObject({
      status: 200,
      body: {
        client: { clientId, name: 'Helper', uri: null, verified: false },
        redirectHost: '127.0.0.1:3000',
        scopes: ['mcp'],
        resource: `${BASE}/mcp`,
        tenants: [
          {
            tenantId,
            tenantName: institute.tenant.name,
            membershipId: member.membershipId,
            allowed: true,
            permissions: ['students.read', 'mcp.access'],
          },
        ],
      },
    })
    const { verifier, codeChallenge } = newVerifier()
    const consent = await member.post('/oauth/consent', {
      ...approval(clientId, tenantId, codeChallenge),
      state: 'a & b',
    })
    expect(consent.status).toBe(200)
    const target = new URL(consent.body.redirectTo)
    expect(target.origin + target.pathname).toBe(CALLBACK)
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.any(String),
      state: 'a & b',
      iss: BASE,
    })
    expect((await member.get('/me/grants')).body.data).toEqual([])

    const code = codeIn(consent.body.redirectTo)
    const tokens = await exchange(app, { clientId, verifier, code }, { resource: `${BASE}/mcp` })
    expect(tokens).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 900, scope: 'mcp' },
    })
    expect(tokens.headers.get('cache-control')).toBe('no-store')
    const claims = JSON.parse(Buffer.from(tokens.body.access_token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ aud: `${BASE}/mcp`, sub: member.userId, tid: tenantId, scope: 'mcp' })

    expect((await member.get('/me/grants')).body.data).toMatchObject([
      { clientName: 'Helper', clientUri: null, tenantId, tenantName: institute.tenant.name, scopes: ['mcp'] },
    ])
    app.clock.advance(600)
    const renewed = await refreshGrant(app, clientId, tokens.body.refresh_token)
    expect(renewed.status).toBe(200)
    expect(renewed.body.refresh_token).not.toBe(tokens.body.refresh_token)

    const revoked = await sendForm(app, '//oauth/revoke', { client_id: clientId, token: renewed.body.refresh_token })
    expect(revoked).toMatchObject({ status: 200 })
    expect(errorOf(await refreshGrant(app, clientId, renewed.body.refresh_token))).toBe('400 invalid_grant')
    expect((await member.get('/me/grants')).body.data).toEqual([])
  })

  test('a refusal goes to the client with the state, and is noted', async () => {
    const clientId: string = (await register(app)).body.client_id
    const { codeChallenge } = newVerifier()
    const { tenantId: _, ...body } = approval(clientId, tenantId, codeChallenge)
    const refused = await member.post('/oauth/consent', { ...body, approve: false, state: 'x' })
    expect(refused).toMatchObject({
      status: 200,
      body: { redirectTo: `${CALLBACK}?error=access_denied&state=x&iss=${encodeURIComponent(BASE)}` },
    })
    const entries = await auditOf(app, 'oauth.refuse')
    expect(entries.at(-1)).toMatchObject({ tenant_id: tenantId, metadata: { clientId, clientName: 'Helper' } })
  })

  test('without an answer to PKCE nothing is given, and the code stays good', async () => {
    const asked = await allow(app, member, tenantId)
    const wrong = await exchange(app, { ...asked, verifier: newVerifier().verifier })
    expect(errorOf(wrong)).toBe('400 invalid_grant')
    expect((await exchange(app, asked)).status).toBe(200)
  })

  test('neither the log nor the audit log holds what would let somebody else in', async () => {
    const asked = await allow(app, member, tenantId, { state: 'a state of the client' })
    await app.get(`//oauth/authorize?state=a+state+of+the+client&code_challenge=${'x'.repeat(43)}`)
    const { body } = await exchange(app, asked)
    await exchange(app, asked)
    await exchange(app, { ...asked, code: 'a made up code', verifier: 'v'.repeat(43) })
    await refreshGrant(app, asked.clientId, body.refresh_token)
    await sendForm(app, '//oauth/revoke', { client_id: asked.clientId, token: body.refresh_token })
    expect(logged.filter((line) => line.includes('oauth/token')).length).toBeGreaterThan(3)
    const entries = await app.app.database.read.selectFrom('audit_entry').selectAll().execute()
    const written = `${logged.join('')}${JSON.stringify(entries)}`
    const secrets = [asked.code, asked.verifier, body.access_token, body.refresh_token, 'a made up code', 'a state of']
    for (const secret of [...secrets, 'a+state', 'v'.repeat(43)]) expect(written).not.toContain(secret)
  })
})
