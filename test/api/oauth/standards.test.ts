import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { freePort } from '#kit/free-port.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { approval, CALLBACK, codeIn, newVerifier } from '#kit/oauth.ts'
import { startOracle } from '#kit/oauth-oracle.ts'

/** What others make of OAuth: a client library of strict checks, and another server that is asked the same. */

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  const port = await freePort()
  const limits = { ...DEFAULTS.limits, anonymousPerMinute: 1e6 }
  // The library has its own clock.
  const now = new Date().toISOString()
  app = await startApp({ now, config: { port, baseUrl: `http://127.0.0.1:${port}`, limits } })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

test('oauth4webapi goes the whole way, from the address of MCP alone', async () => {
  const plain = { [oauth.allowInsecureRequests]: true }
  const resource = new URL(`${app.url}/mcp`)
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, plain),
  )
  const issuer = new URL(described.authorization_servers?.[0] as string)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain }),
  )
  expect(server.code_challenge_methods_supported).toEqual(['S256'])
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'Helper', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
      plain,
    ),
  )
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const consent = await institute.owner.post('/oauth/consent', {
    ...approval(client.client_id, institute.tenant.id, await oauth.calculatePKCECodeChallenge(verifier)),
    state,
    resource: resource.href,
  })
  const answer = oauth.validateAuthResponse(server, client, new URL(consent.body.redirectTo), state)
  const additionalParameters = { resource: resource.href }
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answer, CALLBACK, verifier, {
      additionalParameters,
      ...plain,
    }),
  )
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'mcp', expires_in: 900 })
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token as string, {
      additionalParameters,
      ...plain,
    }),
  )
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token as string, plain),
  )
  const ended = oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), renewed.refresh_token as string, plain),
  )
  await expect(ended).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
})

type Fields = Record<string, string | undefined>

/** An authorization server, as a script asks it. */
interface Asked {
  url: string
  allow(query: URLSearchParams): Promise<string>
}

/** Sends a form. @returns the status with the error, and the reply */
const send = async ({ url }: Asked, path: string, fields: Fields | [string, string][]) => {
  const given = Array.isArray(fields)
    ? fields
    : Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined)
  const reply = await fetch(url + path, { method: 'POST', body: new URLSearchParams(given) })
  const text = await reply.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>
  return { said: `${reply.status}${body['error'] === undefined ? '' : ` ${body['error']}`}`, body }
}

const registration = async ({ url }: Asked, metadata: Record<string, unknown>) => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) })
  const body = (await reply.json()) as Record<string, string>
  return { said: `${reply.status}${body['error'] === undefined ? '' : ` ${body['error']}`}`, body }
}

const NATIVE = { redirect_uris: [CALLBACK], application_type: 'native', token_endpoint_auth_method: 'none' }

/** What a server answers to a script of requests, by what was tried. */
const answersOf = async (server: Asked): Promise<Record<string, string | string[]>> => {
  const resource = `${server.url}/mcp`
  const { body: client } = await registration(server, NATIVE)
  const { body: other } = await registration(server, NATIVE)
  const ask = async () => {
    const { verifier, codeChallenge } = newVerifier()
    const query = {
      response_type: 'code',
      client_id: client['client_id'] as string,
      redirect_uri: CALLBACK,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      scope: 'mcp offline_access',
      state: 'kept',
      resource,
    }
    const code = await server.allow(new URLSearchParams(query))
    return {
      grant_type: 'authorization_code',
      client_id: client['client_id'] as string,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }
  }
  const token = async (fields: Fields | [string, string][]) => send(server, '/oauth/token', fields)
  const said = async (fields: Fields | [string, string][]) => (await token(fields)).said
  const renewal = (refreshToken: string | undefined) => ({
    grant_type: 'refresh_token',
    client_id: client['client_id'] as string,
    refresh_token: refreshToken,
  })
  const revoke = async (fields: Fields) => (await send(server, '/oauth/revoke', fields)).said
  const granted = async () => (await token(await ask())).body
  const used = await ask()
  const first = await token(used)
  const rotated = await granted()
  const next = await token(renewal(rotated['refresh_token']))
  const ended = await granted()

  return {
    'a registration': (await registration(server, NATIVE)).said,
    'a registration without redirect URIs': (await registration(server, { ...NATIVE, redirect_uris: [] })).said,
    'a redirect URI with a fragment': (await registration(server, { ...NATIVE, redirect_uris: [`${CALLBACK}#x`] }))
      .said,
    'a code': first.said,
    'the code again': await said(used),
    'the refresh token of a code that came twice': await said(renewal(first.body['refresh_token'])),
    'another verifier': await said({ ...(await ask()), code_verifier: newVerifier().verifier }),
    'no verifier': (await said({ ...(await ask()), code_verifier: undefined })).slice(0, 3),
    'another redirect URI': await said({ ...(await ask()), redirect_uri: `${CALLBACK}/` }),
    'the code of another client': await said({ ...(await ask()), client_id: other['client_id'] }),
    'an unknown code': await said({ ...(await ask()), code: 'x' }),
    'no code': await said({ ...(await ask()), code: undefined }),
    'no grant type': await said({ ...(await ask()), grant_type: undefined }),
    'an unknown grant type': await said({ ...(await ask()), grant_type: 'password' }),
    'another resource': await said({ ...(await ask()), resource: 'https://elsewhere.example.org/mcp' }),
    'a parameter twice': await said([...Object.entries(await ask()), ['code', 'x']]),
    'a refresh token': next.said,
    'the refresh token again': await said(renewal(rotated['refresh_token'])),
    'the refresh token that came after it': await said(renewal(next.body['refresh_token'])),
    'an unknown refresh token': await said(renewal('x')),
    'the refresh token of another client': await said({
      ...renewal((await granted())['refresh_token']),
      client_id: other['client_id'],
    }),
    'a revocation': await revoke({ client_id: client['client_id'], token: ended['refresh_token'] }),
    'a refresh token that was revoked': await said(renewal(ended['refresh_token'])),
    'a revocation of nothing': await revoke({ client_id: client['client_id'], token: 'x' }),
    'a revocation without a token': await revoke({ client_id: client['client_id'] }),
    'the fields of a reply': Object.keys(first.body)
      .filter((name) => name !== 'id_token')
      .toSorted(),
  }
}

describe('another server that is asked the same', () => {
  test('answers the same', async () => {
    const oracle = await startOracle()
    try {
      const ours: Asked = {
        url: app.url,
        allow: async (query) => {
          const { owner, tenant } = institute
          const { body } = await owner.post('/oauth/consent', {
            ...approval(query.get('client_id') as string, tenant.id, query.get('code_challenge') as string),
            resource: query.get('resource'),
          })
          return codeIn(body.redirectTo)
        },
      }
      expect(await answersOf(ours)).toEqual(await answersOf(oracle))
    } finally {
      oracle.close()
    }
  })
})
