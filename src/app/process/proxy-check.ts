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

interface KnownProxy {
  name: string
  /** How it is known by what it writes into replies; none: it writes nothing. */
  mark?: RegExp
  /** How it tells who asks, whatever the client has written into the header. */
  caller: string
  /** How it tells that they came by TLS. */
  scheme: string
  /** How it tells the name in their address. */
  host: string
}

/** Those that stand in front of others come first. */
const KNOWN: readonly KnownProxy[] = [
  {
    name: 'Varnish',
    mark: /varnish/i,
    caller: 'set req.http.X-Forwarded-For = client.ip;',
    scheme: 'set req.http.X-Forwarded-Proto = "https";',
    host: 'unset req.http.X-Forwarded-Host;',
  },
  {
    name: 'nginx',
    mark: /\b(?:nginx|openresty)\b/i,
    caller: 'proxy_set_header X-Forwarded-For $remote_addr;',
    scheme: 'proxy_set_header X-Forwarded-Proto $scheme;',
    host: 'proxy_set_header Host $http_host;',
  },
  {
    name: 'Apache',
    mark: /\bapache\b/i,
    caller: 'RequestHeader unset X-Forwarded-For',
    scheme: 'RequestHeader set X-Forwarded-Proto https',
    host: 'ProxyPreserveHost On',
  },
  {
    name: 'Caddy',
    mark: /\bcaddy\b/i,
    caller: 'no trusted_proxies',
    scheme: 'an address without http:// before it',
    host: 'no header_up Host',
  },
  {
    name: 'lighttpd',
    mark: /\blighttpd\b/i,
    caller: 'setenv.set-request-header = ( "X-Forwarded-For" => "" )',
    scheme: 'no setenv.set-request-header of X-Forwarded-Proto',
    host: 'no proxy.header that maps hosts',
  },
  {
    name: 'HAProxy',
    caller: 'http-request set-header X-Forwarded-For %[src]',
    scheme: 'http-request set-header X-Forwarded-Proto https if { ssl_fc }',
    host: 'no http-request set-header Host',
  },
]

/** The headers by which proxies name themselves. Varnish has one that only it writes. */
const NAMING = ['server', 'via', 'x-varnish']

const proxiesIn = ({ server, via, ...more }: Readonly<Record<string, string>> = {}): string =>
  [server, via, more['x-varnish'] !== undefined && 'varnish'].filter(Boolean).join(', ')

/** What is to be written into which proxy: into the one that has named itself, or one of those that it may be. */
const linesOf = (what: 'caller' | 'scheme' | 'host', servedBy = ''): string => {
  const found = KNOWN.find(({ mark }) => mark?.test(servedBy))
  const asked = found ? [found] : KNOWN.filter(({ name }) => name === 'nginx' || name === 'HAProxy')
  return asked.map((proxy) => `${proxy.name}: ${proxy[what]}`).join('; ')
}

/** The proxy that stands in front, where it has named itself. */
const proxyNamed = (servedBy = ''): string =>
  KNOWN.find(({ mark }) => mark?.test(servedBy))?.name ?? 'the proxy in front'

interface ProxyDeps {
  config: Pick<Config, 'trustedProxies'>
  vault: Vault
  clock: Clock
  outbound: Outbound
  /** The address to which people are sent. */
  baseUrl(): Promise<string>
}

const Seen = named('SeenAddress', v.object({ address: v.string(), origin: v.string() }), {
  address: 'The address that the server takes the caller for.',
  origin: 'The address at which the server takes them to have asked: scheme, name and port.',
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
      return { address: request.ip, origin: request.origin }
    },
  })

const seenIn = (body: Buffer): Partial<v.InferOutput<typeof Seen>> => {
  try {
    return (JSON.parse(body.toString('utf8')) as Partial<v.InferOutput<typeof Seen>> | null) ?? {}
  } catch {
    return {}
  }
}

/** Whether the name and the scheme that people opened arrive. Of what came back nothing is shown: it may be another's. */
const lookAtOrigin = (origin: string, url: string, servedBy: string | undefined): CheckResult => {
  const [seen, opened] = [URL.parse(origin), new URL(url)]
  const who = proxyNamed(servedBy)
  if (seen?.protocol !== opened.protocol) {
    const scheme = opened.protocol.slice(0, -1)
    return wrong(
      `${who} does not say that people come by ${scheme}, which cookies and the addresses of files need; it is said by (${linesOf('scheme', servedBy)})`,
    )
  }
  if (seen.hostname !== opened.hostname) {
    return warning(
      `${who} does not pass on the name that people open, ${opened.hostname}; it is passed on by (${linesOf('host', servedBy)})`,
    )
  }
  return passed('a made-up address in X-Forwarded-For is not taken for the caller’s; name and scheme arrive')
}

/**
 * Asks the server through its own address, with a made-up one in X-Forwarded-For, whom it takes the caller for, and
 * where it takes them to have asked. It changes nothing.
 */
const tryProxy = async ({ config, vault, clock, outbound, baseUrl }: ProxyDeps): Promise<CheckResult> => {
  const url = await baseUrl()
  const expires = String(Date.parse(plusSeconds(clock.now(), GOOD_SECONDS)))
  const query = new URLSearchParams({ expires, signature: vault.tag(PURPOSE, expires) })
  const asked = await outbound.get({
    url: `${url}/api/v1${PATH}?${query.toString()}`,
    headers: { 'X-Forwarded-For': MADE_UP },
    reads: NAMING,
  })
  const servedBy = asked.status === null ? undefined : proxiesIn(asked.headers)
  const { address, origin } = asked.ok ? seenIn(asked.body) : {}
  if (address === undefined || origin === undefined) {
    const why = asked.status === null ? asked.error : `status ${asked.status}`
    return warning(
      `whether callers can name any address is not known: this server does not answer at ${url} from here (${why}). The proxy in front must have one of these lines: ${linesOf('caller', servedBy)}`,
    )
  }
  if (address !== MADE_UP) return lookAtOrigin(origin, url, servedBy)
  return wrong(
    `whoever sends X-Forwarded-For is taken for any address, which deceives limits and log: let ${proxyNamed(servedBy)} write it (${linesOf('caller', servedBy)}), and set INSTITUTE_TRUST_PROXY to the number of proxies (${config.trustedProxies} now), or to off where callers reach the server without one`,
  )
}

/** None where no proxy is trusted: then no header counts. */
export const proxyChecks = (deps: ProxyDeps): readonly Check[] =>
  deps.config.trustedProxies === 0 ? [] : [{ about: 'proxy', look: () => tryProxy(deps) }]
