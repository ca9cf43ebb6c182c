import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepClientsJob } from '#modules/oauth/jobs.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { allow, approval, CALLBACK, newVerifier, register } from '#kit/oauth.ts'
import { auditOf } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

/** Each request comes from a network of its own, but where the limit is what is tested. */
let networks = 0
const nextNetwork = () => ({ 'x-forwarded-for': `10.${networks >> 8}.${networks++ & 255}.1` })
const send = (body: unknown, headers: Record<string, string> = nextNetwork()): Promise<Reply> =>
  app.send('POST', '//oauth/register', { body, headers })

beforeAll(async () => {
  app = await startApp({ config: { trustedProxies: 1 } })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

const errorOf = ({ status, body }: Reply): string => `${status} ${body.error}`

describe('a client registers', () => {
  test('and is told what it got, which is noted', async () => {
    const reply = await send({
      client_name: 'Helper',
      client_uri: 'https://helper.example.org',
      redirect_uris: [CALLBACK, 'https://helper.example.org/back', 'org.example.helper-app://back'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:other'],
      token_endpoint_auth_method: 'client_secret_post',
      logo_uri: 'http://169.254.169.254/',
      jwks_uri: 'http://127.0.0.1/',
      scope: 'everything',
    })
    expect(reply).toMatchObject({
      status: 201,
      body: {
        client_id: expect.stringMatching(/^[\da-f-]{36}$/),
        client_id_issued_at: Math.floor(app.clock.millis() / 1000),
        client_name: 'Helper',
        client_uri: 'https://helper.example.org',
        redirect_uris: [CALLBACK, 'https://helper.example.org/back', 'org.example.helper-app://back'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'mcp',
      },
    })
    expect(Object.keys(reply.body)).not.toContain('client_secret')
    expect((await auditOf(app, 'oauth.register')).at(-1)).toMatchObject({
      actor_type: 'public',
      entity_type: 'oauth_client',
      entity_id: reply.body.client_id,
      after: { id: reply.body.client_id, name: 'Helper' },
    })
  })

  test('with all that may be sent, of which the audit log keeps which client it was', async () => {
    const longest = (at: number) => `https://helper.example.org/${at}/`.padEnd(2000, 'a')
    const { body, status } = await send({
      client_name: 'N'.repeat(200),
      client_uri: `https://helper.example.org/${'a'.repeat(1900)}`,
      redirect_uris: Array.from({ length: 20 }, (_, at) => longest(at)),
    })
    expect(status).toBe(201)
    const entry = (await auditOf(app, 'oauth.register')).at(-1)
    expect(entry).toMatchObject({ entity_id: body.client_id, before: null, metadata: null })
    expect(entry?.after).toEqual({ id: body.client_id, name: 'N'.repeat(200) })
  })

  test('without a name, and is called by where it leads', async () => {
    expect((await send({ redirect_uris: ['https://helper.example.org/back'] })).body.client_name).toBe(
      'helper.example.org',
    )
  })

  test.each([
    'http://helper.example.org/back',
    'http://192.168.1.5/back',
    'http://localhost.example.org/back',
    'http://127.0.0.1.example.org/back',
    'http://127.0.0.2/back',
    'https://user@helper.example.org/back',
    'https://user:word@helper.example.org/back',
    'https://helper.example.org/back#part',
    'https://helper.example.org/back#',
    'https://helper.example.org/a b',
    'https://helper.example.org\\@evil.example.org/',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,hello',
    'vbscript:x',
    'file:///etc/passwd',
    'ms-settings:network',
    'ms-officecmd:%7B%7D',
    'ssh://host.example.org',
    'helper-app://back',
    '.app://back',
    'app.://back',
    'blob:https://helper.example.org/x',
    '/back',
    '//helper.example.org/back',
    'helper',
    '',
    `https://helper.example.org/${'a'.repeat(2000)}`,
  ])('with the redirect URI %j and is refused', async (uri) => {
    expect(errorOf(await send({ redirect_uris: [CALLBACK, uri] }))).toBe('400 invalid_redirect_uri')
  })

  test.each([
    [{}, 'invalid_client_metadata'],
    [{ redirect_uris: CALLBACK }, 'invalid_client_metadata'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [7] }, 'invalid_client_metadata'],
    [{ redirect_uris: ['java\nscript:alert(1)'] }, 'invalid_client_metadata'],
    [{ redirect_uris: Array.from({ length: 21 }, () => CALLBACK) }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], client_name: 'a'.repeat(201) }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], client_name: 'two\nlines' }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], client_name: '\u200f' }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], response_types: ['token'] }, 'invalid_client_metadata'],
  ])('with %j and is refused', async (body, error) => {
    const count = async () => (await app.app.database.read.selectFrom('oauth_client').select('id').execute()).length
    const before = await count()
    expect(errorOf(await send(body))).toBe(`400 ${error}`)
    expect(await count()).toBe(before)
  })

  test('with something that is no JSON and is refused in the form of RFC 7591', async () => {
    const reply = await app.send('POST', '//oauth/register', { raw: '{', headers: nextNetwork() })
    expect(reply.body).toEqual({
      error: 'invalid_client_metadata',
      error_description: 'The request could not be read.',
    })
  })

  test('20 times an hour from one network', async () => {
    const headers = nextNetwork()
    for (let at = 0; at < 20; at += 1) {
      expect((await send({ redirect_uris: [CALLBACK] }, headers)).status).toBe(201)
    }
    const refused = await send({ redirect_uris: [CALLBACK] }, headers)
    expect(errorOf(refused)).toBe('429 temporarily_unavailable')
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    app.clock.advance(3600)
    expect((await send({ redirect_uris: [CALLBACK] }, headers)).status).toBe(201)
  })
})

describe('a client that nobody uses', () => {
  const sweep = async () => {
    await runInTransaction(app.app.runtime, systemAuditContext('test.sweep'), async (unit) =>
      unit.system().enqueue(sweepClientsJob, {}),
    )
    await app.drain()
  }
  const known = async (clientId: string): Promise<boolean> => {
    const query = new URLSearchParams({ clientId, redirectUri: CALLBACK }).toString()
    const user = await institute.member({ role: 'owner' })
    return (await user.get(`/oauth/consent-context?${query}`)).status === 200
  }

  test('is forgotten after a day; one that somebody let in stays as long as a grant may live', async () => {
    const unused: string = (await send({ redirect_uris: [CALLBACK] })).body.client_id
    const used: string = (await send({ redirect_uris: [CALLBACK] })).body.client_id
    const user = await institute.member({ role: 'owner' })
    await allow(app, user, institute.tenant.id, { clientId: used })
    app.clock.advance(24 * 3600 - 60)
    await sweep()
    expect([await known(unused), await known(used)]).toEqual([true, true])
    app.clock.advance(120)
    await sweep()
    expect([await known(unused), await known(used)]).toEqual([false, true])
    const { id } = institute.tenant
    const owner = await institute.member({ role: 'owner' })
    const refused = await owner.post('/oauth/consent', approval(unused, id, newVerifier().codeChallenge))
    expect(refused.body.error.code).toBe('OAUTH_CLIENT_NOT_FOUND')
    app.clock.advance(91 * 24 * 3600)
    await sweep()
    const rows = await app.app.database.read.selectFrom('oauth_client').select('id').where('id', '=', used).execute()
    expect(rows).toEqual([])
  })
})

describe('pages of other origins', () => {
  const origin = 'https://assistant.example.org'

  test.each([
    ['POST', '//oauth/register'],
    ['POST', '//oauth/token'],
    ['POST', '//oauth/revoke'],
    ['GET', '//.well-known/oauth-authorization-server'],
    ['GET', '//.well-known/oauth-protected-resource'],
    ['GET', '//.well-known/oauth-protected-resource/mcp'],
  ])('may %s %s, also when it refuses', async (method, path) => {
    const asked = {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    }
    const preflight = await app.send('OPTIONS', path, { headers: asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('mcp-protocol-version')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const reply = await app.send(method, path, {
      headers: { origin, ...nextNetwork() },
      ...(method === 'POST' && { raw: '' }),
    })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.status).toBe(method === 'POST' ? 400 : 200)
  })

  test('may not ask in a user’s name', async () => {
    for (const path of ['/oauth/consent', '/oauth/consent-context', '/me/grants']) {
      const preflight = await app.send('OPTIONS', path, {
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      expect(preflight.status).toBe(404)
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

test('the metadata names every address, and what clients must know before they ask', async () => {
  const issuer = `http://localhost:${app.app.config.port}`
  const server = await app.get('//.well-known/oauth-authorization-server')
  expect(server).toMatchObject({
    status: 200,
    body: {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    },
  })
  expect(server.body).not.toHaveProperty('introspection_endpoint')
  const resource = await app.get('//.well-known/oauth-protected-resource')
  expect(resource.body).toMatchObject({ resource: `${issuer}/mcp`, authorization_servers: [issuer] })
  expect((await app.get('//.well-known/oauth-protected-resource/mcp')).body).toEqual(resource.body)
  expect((await app.post('//oauth/introspect', {})).status).toBe(404)
})

test('a registered client is registered again under another id', async () => {
  const ids = [await register(app), await register(app)].map(({ body }) => body.client_id)
  expect(new Set(ids).size).toBe(2)
})
