import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'
import { freePort } from './free-port.ts'

/**
 * Another authorization server, oidc-provider, which is certified: the tests ask it what they ask ours. It is set up as
 * ours is: public clients, PKCE with S256, one resource, refresh tokens that rotate.
 */
export const startOracle = async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'ES256', kid: 'a' }
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const resource = `${issuer}/mcp`
  const settings: Configuration = {
    jwks: { keys: [key] },
    scopes: ['offline_access'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
    },
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'mcp',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    interactions: { url: () => '/interaction' },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  }
  const provider = new Provider(issuer, settings)
  const callback = provider.callback()
  const server = createServer((request, response) => {
    if (request.url !== '/interaction') {
      void callback(request, response)
      return
    }
    const letIn = async () => {
      const { params } = await provider.interactionDetails(request, response)
      const grant = new provider.Grant({ accountId: 'somebody', clientId: String(params['client_id']) })
      grant.addResourceScope(resource, 'mcp')
      grant.addOIDCScope('offline_access')
      const consent = { grantId: await grant.save() }
      await provider.interactionFinished(request, response, { login: { accountId: 'somebody' }, consent })
    }
    letIn().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    resource,
    /** Lets the client in, as a browser would. @returns the code */
    allow: async (query: URLSearchParams): Promise<string> => {
      const jar = new Map<string, string>()
      let at = `${url}/oauth/authorize?${query.toString()}`
      for (let step = 0; step < 8; step += 1) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const reply = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const set of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (value === '') jar.delete(name)
          else jar.set(name, value)
        }
        at = new URL(reply.headers.get('location') ?? '', url).href
        const code = new URL(at).searchParams.get('code')
        if (code !== null) return code
      }
      throw new Error(`the oracle gave no code: ${at}`)
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
