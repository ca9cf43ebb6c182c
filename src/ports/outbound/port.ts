import { isIP } from 'node:net'
import { type AddressPolicy, isAddressAllowed } from './addresses.ts'

export interface OutboundRequest {
  readonly url: string
  /** Sent unchanged, in addition to Host and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** The time limit for the whole request: DNS, connecting, TLS, headers, body. Default: 5000. */
  readonly deadlineMs?: number
  /**
   * How many bytes of the response body are read before the connection is closed. Default: 4096. A response of more
   * than 1 MB, including headers and framing, is never read to its end.
   */
  readonly maxResponseBytes?: number
  /** Names of response headers that are read, in lower case. */
  readonly reads?: readonly string[]
}

/** A complete response, or one that was cut off at maxResponseBytes. */
export interface OutboundAnswer {
  /** Whether the status is 2xx. Redirects are not followed, so a 3xx is not ok. */
  readonly ok: boolean
  readonly status: number
  /** The bytes as received, not decompressed. */
  readonly body: Buffer
  readonly truncated: boolean
  /** The beginning of the body as text that any database can store: at most 1000 characters, without NUL. */
  readonly excerpt: string
  /** The header Retry-After; absent: there was none. */
  readonly retryAfter?: string
  /** Those of `reads` that there were; absent: none were asked for. */
  readonly headers?: Readonly<Record<string, string>>
  readonly durationMs: number
}

export interface OutboundNoAnswer {
  readonly ok: false
  readonly status: null
  /** A short English phrase. It is the same for all refused addresses; nothing was sent to them. */
  readonly error: string
  readonly durationMs: number
}

export type OutboundResult = OutboundAnswer | OutboundNoAnswer

/** A request without a body. */
export type OutboundGet = Omit<OutboundRequest, 'body'>

export interface Outbound {
  /**
   * Sends a POST request. It does not throw for anything that the other side does. @throws TypeError for a malformed
   * header
   */
  post(request: OutboundRequest): Promise<OutboundResult>
  /** Sends a GET request, with the same promises. */
  get(request: OutboundGet): Promise<OutboundResult>
  /** Closes all connections. Current and later requests end without a response. */
  close(): Promise<void>
}

export interface UrlPolicy extends AddressPolicy {
  readonly requireHttps: boolean
}

/** The policy for addresses that a member sets for themself, in every mode. */
export const PUBLIC_ONLY: UrlPolicy = { blockPrivate: true, requireHttps: true }

/** Sends by a policy, which is also asked when an address is stored. */
export interface PolicedOutbound {
  readonly policy: UrlPolicy
  readonly outbound: Outbound
}

export const ADDRESS_REFUSED = 'the address is not allowed'

/**
 * Why a request to this URL is refused before its name is resolved; undefined: it is allowed. The URL parser has
 * already converted all spellings of an IPv4 address (hexadecimal, octal, a single number, full-width digits) to the
 * dotted one. A host name is accepted here: its addresses are checked when connecting.
 */
export function checkUrl(url: string, policy: UrlPolicy): string | undefined {
  const parsed = URL.parse(url)
  if (parsed === null) return 'not a valid URL'
  if (parsed.protocol !== 'https:' && (policy.requireHttps || parsed.protocol !== 'http:')) {
    return policy.requireHttps ? 'the URL must begin with https://' : 'the URL must begin with http:// or https://'
  }
  if (parsed.username !== '' || parsed.password !== '') return 'the URL must not hold a user name or password'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isAddressAllowed(host, policy) ? undefined : ADDRESS_REFUSED
  if (policy.blockPrivate && /(^|\.)localhost\.?$/.test(host)) return ADDRESS_REFUSED
  return undefined
}
