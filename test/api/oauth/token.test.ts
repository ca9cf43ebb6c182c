import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import {
  allow,
  approval,
  CALLBACK,
  clientOf,
  codeIn,
  exchange,
  grantTo,
  newVerifier,
  refreshGrant,
  register,
  sendForm,
} from '#kit/oauth.ts'
import { auditOf, emailOf, PASSWORD } from '#kit/sign-in.ts'

/** What the address of tokens must refuse, each by the sentence of the RFC that says so. */

const BASE = 'https://office.example.org'

let app: TestApp
let institute: TestInstitute
let member: TestMember
let tenantId: string

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: BASE, limits: { ...DEFAULTS.limits, anonymousPerMinute: 1e6 } } })
  institute = await makeInstitute(app, { features: { mcp: true } })
  member = await institute.member({ permissions: ['students.read', 'mcp.access'] })
  tenantId = institute.tenant.id
})
afterAll(() => app.close())

const errorOf = ({ status, body }: Reply): string => `${status} ${body.error}`
const ask = () => allow(app, member, tenantId)
const grant = () => grantTo(app, member, tenantId)
/** Whether a grant still gives tokens. */
const lives = async (of: { clientId: string; refreshToken: string }) =>
  (await refreshGrant(app, of.clientId, of.refreshToken)).status === 200

describe('a code', () => {
  test('that is used a second time is refused, and ends what the first use gave (RFC 6749, 4.1.2)', async () => {
    const asked = await ask()
    const first = await exchange(app, asked)
    expect(first.status).toBe(200)
    expect(errorOf(await exchange(app, asked))).toBe('400 invalid_grant')
    expect(errorOf(await refreshGrant(app, asked.clientId, first.body.refresh_token))).toBe('400 invalid_grant')
    expect(await auditOf(app, 'oauth.reuse')).toMatchObject([{ tenant_id: tenantId, entity_type: 'oauth_grant' }])
  })

  test('of many exchanges at once gives tokens to one', async () => {
    const asked = await ask()
    const replies = await Promise.all(Array.from({ length: 10 }, () => exchange(app, asked)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('that somebody else found is worth nothing without the verifier, and ends nothing', async () => {
    const asked = await ask()
    const first = await exchange(app, asked)
    const thief = { ...asked, verifier: newVerifier().verifier }
    expect(errorOf(await exchange(app, thief))).toBe('400 invalid_grant')
    expect(await lives({ clientId: asked.clientId, refreshToken: first.body.refresh_token })).toBe(true)
  })

  test('is good for a minute (RFC 6749, 4.1.2)', async () => {
    const [late, inTime] = [await ask(), await ask()]
    app.clock.advance(59)
    expect((await exchange(app, inTime)).status).toBe(200)
    app.clock.advance(1)
    expect(errorOf(await exchange(app, late))).toBe('400 invalid_grant')
  })

  test('belongs to the client, the redirect URI and the resource of the request (RFC 6749, 4.1.3; RFC 8707)', async () => {
    const asked = await ask()
    const other = (await register(app)).body.client_id
    expect(errorOf(await exchange(app, { ...asked, clientId: other }))).toBe('400 invalid_grant')
    for (const redirect_uri of [`${CALLBACK}/`, 'http://127.0.0.1:3001/callback', 'http://localhost:3000/callback']) {
      expect(errorOf(await exchange(app, asked, { redirect_uri })), redirect_uri).toBe('400 invalid_grant')
    }
    const resource = 'https://elsewhere.example.org/mcp'
    expect(errorOf(await exchange(app, asked, { resource }))).toBe('400 invalid_target')
    expect((await exchange(app, asked, { redirect_uri: undefined, resource: `${BASE}/mcp` })).status).toBe(200)
  })

  test.each(['', 'short', '€'.repeat(43), 'a'.repeat(129), `${'a'.repeat(43)}!`])(
    'with the verifier %j is refused (RFC 7636, 4.1)',
    async (verifier) => {
      const error = verifier === '' ? '400 invalid_request' : '400 invalid_grant'
      expect(errorOf(await exchange(app, { ...(await ask()), verifier }))).toBe(error)
    },
  )

  test('that was made up, cut or changed is refused', async () => {
    const asked = await ask()
    const { code } = asked
    const changed = (code.startsWith('A') ? 'B' : 'A') + code.slice(1)
    for (const made of ['x', code.slice(1), `${code}x`, changed, 'a'.repeat(86)]) {
      expect(errorOf(await exchange(app, { ...asked, code: made }))).toBe('400 invalid_grant')
    }
    expect((await exchange(app, asked)).status).toBe(200)
  })

  test('is no refresh token, and a refresh token is no code', async () => {
    const asked = await ask()
    expect(errorOf(await refreshGrant(app, asked.clientId, asked.code))).toBe('400 invalid_grant')
    const { body } = await exchange(app, asked)
    expect(errorOf(await exchange(app, { ...asked, code: body.refresh_token }))).toBe('400 invalid_grant')
    expect(await lives({ clientId: asked.clientId, refreshToken: body.refresh_token })).toBe(true)
  })
})

describe('a refresh token', () => {
  test('that was exchanged before ends the grant (RFC 9700, 4.14.2)', async () => {
    const { clientId, refreshToken } = await grant()
    const next = await refreshGrant(app, clientId, refreshToken)
    expect(errorOf(await refreshGrant(app, clientId, refreshToken))).toBe('400 invalid_grant')
    expect(await lives({ clientId, refreshToken: next.body.refresh_token })).toBe(false)
  })

  test('of another client, of a sign-in, or made up, is refused', async () => {
    const { clientId, refreshToken } = await grant()
    const other = (await register(app)).body.client_id
    expect(errorOf(await refreshGrant(app, other, refreshToken))).toBe('400 invalid_grant')
    const signedIn = await app.post('/auth/login', {
      email: emailOf(member.userId),
      password: PASSWORD,
      client: 'mobile',
    })
    for (const token of [signedIn.body.refreshToken, `${refreshToken}x`, 'x']) {
      expect(errorOf(await refreshGrant(app, clientId, token))).toBe('400 invalid_grant')
    }
    expect((await app.post('/auth/refresh', { refreshToken })).body.error.code).toBe('TOKEN_INVALID')
    expect(await lives({ clientId, refreshToken })).toBe(true)
  })

  test('asks for no more than was granted (RFC 6749, 6), and for no other resource', async () => {
    const { clientId, refreshToken } = await grant()
    expect(errorOf(await refreshGrant(app, clientId, refreshToken, { scope: 'mcp admin' }))).toBe('400 invalid_scope')
    const resource = `${BASE}/api/v1`
    expect(errorOf(await refreshGrant(app, clientId, refreshToken, { resource }))).toBe('400 invalid_target')
    expect((await refreshGrant(app, clientId, refreshToken, { scope: 'mcp' })).status).toBe(200)
  })

  test('lives 30 days without use, and 90 at most', async () => {
    const DAY = 24 * 3600
    const unused = await grant()
    const { clientId, ...first } = await grant()
    let { refreshToken } = first
    for (let day = 0; day < 87; day += 29) {
      app.clock.advance(29 * DAY)
      const { status, body } = await refreshGrant(app, clientId, refreshToken)
      expect(status).toBe(200)
      refreshToken = body.refresh_token
    }
    app.clock.advance(3 * DAY)
    expect(await lives({ clientId, refreshToken })).toBe(false)
    expect(await lives(unused)).toBe(false)
    member = await institute.member({ permissions: ['students.read', 'mcp.access'] })
  })
})

describe('the request', () => {
  test('without a grant type, or with an unknown one (RFC 6749, 5.2)', async () => {
    const asked = await ask()
    expect(errorOf(await exchange(app, asked, { grant_type: undefined }))).toBe('400 invalid_request')
    for (const grant_type of ['password', 'client_credentials', 'implicit', 'AUTHORIZATION_CODE']) {
      expect(errorOf(await exchange(app, asked, { grant_type }))).toBe('400 unsupported_grant_type')
    }
  })

  test.each(['code', 'client_id', 'code_verifier'])('without %s', async (name) => {
    expect(errorOf(await exchange(app, await ask(), { [name]: undefined }))).toBe('400 invalid_request')
    expect(errorOf(await exchange(app, await ask(), { [name]: '' }))).toBe('400 invalid_request')
  })

  test('with a parameter twice (RFC 6749, 3.2) changes nothing', async () => {
    const asked = await ask()
    for (const twice of [{ code: [asked.code, asked.code] }, { resource: [`${BASE}/mcp`, 'https://x.example/mcp'] }]) {
      expect(errorOf(await exchange(app, asked, twice))).toBe('400 invalid_request')
    }
    expect((await exchange(app, asked, { unknown: 'is ignored' })).status).toBe(200)
  })

  test('with a client that authenticates itself is 401, with the scheme (RFC 6749, 5.2)', async () => {
    const { clientId, verifier, code } = await ask()
    const fields = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier }
    const authorization = `Basic ${Buffer.from(`${clientId}:secret`).toString('base64')}`
    const reply = await sendForm(app, '//oauth/token', fields, { authorization })
    expect(errorOf(reply)).toBe('401 invalid_client')
    expect(reply.headers.get('www-authenticate')).toBe('Basic')
  })

  test('of another content type, too long, or not text, is refused in the form of OAuth', async () => {
    const json = await app.post('//oauth/token', { grant_type: 'authorization_code' })
    expect(json).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    })
    expect(json.body).not.toHaveProperty('requestId')
    const long = await sendForm(app, '//oauth/token', { grant_type: 'x'.repeat(5000) })
    expect(errorOf(long)).toBe('400 invalid_request')
    expect(long.body.error_description).toBe('grant_type: Must have at most 4000 characters.')
    const large = await sendForm(app, '//oauth/token', { grant_type: 'x'.repeat(70_000) })
    expect(errorOf(large)).toBe('400 invalid_request')
    const bytes = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = await app.send('POST', '//oauth/token', { raw: Buffer.from([0xff, 0xfe]), headers: bytes })
    expect(errorOf(raw)).toBe('400 invalid_request')
  })

  test('GET is no way to ask, and answers are for nobody to keep (RFC 6749, 5.1)', async () => {
    expect((await app.get('//oauth/token')).status).toBe(404)
    const refused = await exchange(app, await ask(), { code: 'x' })
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(refused.headers.get('content-type')).toMatch(/^application\/json/)
  })
})

test('a grant that was refused leaves no session and no grant', async () => {
  const user = await institute.member({ permissions: ['mcp.access'] })
  const before = await user.get('/auth/sessions')
  const clientId = await clientOf(app)
  const { codeChallenge } = newVerifier()
  const body = approval(clientId, tenantId, codeChallenge)
  await user.post('/oauth/consent', { ...body, approve: false })
  await user.post('/oauth/consent', { ...body, redirectUri: `${CALLBACK}/` })
  expect((await user.get('/me/grants')).body.data).toEqual([])
  expect((await user.get('/auth/sessions')).body).toEqual(before.body)
})

test('a session of an assistant is none of a sign-in', async () => {
  const { data } = (await member.get('/auth/sessions')).body
  await grant()
  const [{ id }] = (await member.get('/me/grants')).body.data
  expect((await member.get('/auth/sessions')).body.data).toEqual(data)
  expect((await member.delete(`/auth/sessions/${id}`)).status).toBe(404)
})

test('a code that nobody exchanged leaves nothing behind', async () => {
  const consent = await member.post(
    '/oauth/consent',
    approval(await clientOf(app), tenantId, newVerifier().codeChallenge),
  )
  expect(codeIn(consent.body.redirectTo)).toMatch(/^[\w-]{86}$/)
  const rows = () =>
    app.app.database.read.selectFrom('oauth_grant').select('id').where('redeemed_at', 'is', null).execute()
  expect(await rows()).not.toEqual([])
  app.clock.advance(61)
  await app.app.database.write((db) =>
    db.deleteFrom('auth_session').where('expires_at', '<=', app.clock.now()).execute(),
  )
  expect(await rows()).toEqual([])
})
