import * as v from 'valibot'
import { passed, warning, wrong, type Check, type CheckResult } from '#kernel/contract/check.ts'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { explained, named } from '#kernel/values/named.ts'
import { integer } from '#kernel/values/schema.ts'
import { AddressRefused } from '#modules/files/index.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { Config } from '#app/config/config.ts'

const PATH = '/server/address/seen'
const PURPOSE = 'seen-address'
const GOOD_SECONDS = 60
/** Of a network that is for examples: nobody has it. */
const MADE_UP = '203.0.113.77'

/** How a proxy tells who asks, whatever the client has written into the header. */
export const RIGHT_LINES =
  'nginx: proxy_set_header X-Forwarded-For $remote_addr; HAProxy: http-request set-header X-Forwarded-For %[src]'

interface ProxyDeps {
  config: Pick<Config, 'trustedProxies'>
  vault: Vault
  clock: Clock
  outbound: Outbound
  /** The address to which people are sent. */
  baseUrl(): Promise<string>
}

const Seen = named('SeenAddress', v.object({ address: v.string() }), {
  address: 'The address that the server takes the caller for.',
})

/** Answers the server's own check, and tells strangers nothing. */
export const seenAddress = (vault: Vault): Endpoint =>
  openRead({
    id: 'server.seen-address',
    path: PATH,
    summary: 'Which address the server takes its own check for',
    description:
      'For the check of the server itself, which signs the query: 403 FORBIDDEN with details.reason `signature` for anybody else, and `expired` a minute later.',
    access: 'anyone',
    query: explained(v.object({ expires: integer(0), signature: v.pipe(v.string(), v.maxLength(100)) }), {
      expires: 'Until when the query is good, in milliseconds since 1970.',
      signature: 'By which the server knows its own check.',
    }),
    reply: Seen,
    fails: [AddressRefused],
    handle: async ({ query: { expires, signature }, request, now }) => {
      if (!vault.hasTag(PURPOSE, String(expires), signature)) throw AddressRefused({ reason: 'signature' })
      if (Date.parse(now) >= expires) throw AddressRefused({ reason: 'expired' })
      return { address: request.ip }
    },
  })

const addressIn = (body: Buffer): string | undefined => {
  try {
    return (JSON.parse(body.toString('utf8')) as { address?: string }).address
  } catch {
    return undefined
  }
}

/**
 * Asks the server through its own address, with a made-up one in X-Forwarded-For, whom it takes the caller for.
 * It changes nothing.
 */
const tryProxy = async ({ config, vault, clock, outbound, baseUrl }: ProxyDeps): Promise<CheckResult> => {
  const url = await baseUrl()
  const expires = String(Date.parse(plusSeconds(clock.now(), GOOD_SECONDS)))
  const query = new URLSearchParams({ expires, signature: vault.tag(PURPOSE, expires) })
  const asked = await outbound.get({
    url: `${url}/api/v1${PATH}?${query.toString()}`,
    headers: { 'X-Forwarded-For': MADE_UP },
  })
  const seen = asked.ok ? addressIn(asked.body) : undefined
  if (seen === undefined) {
    const why = asked.status === null ? asked.error : `status ${asked.status}`
    return warning(
      `whether callers can name any address is not known: this server does not answer at ${url} from here (${why}). The proxy in front must have one of these lines: ${RIGHT_LINES}`,
    )
  }
  if (seen !== MADE_UP) return passed('a made-up address in X-Forwarded-For is not taken for the caller’s')
  return wrong(
    `whoever sends X-Forwarded-For is taken for any address, which deceives limits and log: let the proxy in front write it (${RIGHT_LINES}), and set INSTITUTE_TRUST_PROXY to the number of proxies (${config.trustedProxies} now), or to off where callers reach the server without one`,
  )
}

/** None where no proxy is trusted: then no header counts. */
export const proxyChecks = (deps: ProxyDeps): readonly Check[] =>
  deps.config.trustedProxies === 0 ? [] : [{ about: 'proxy', look: () => tryProxy(deps) }]
