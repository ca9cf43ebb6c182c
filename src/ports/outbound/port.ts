import { isIP } from 'node:net'
import { type AddressPolicy, isAddressAllowed } from './addresses.ts'

export interface OutboundRequest {
  readonly url: string
  /** Sent as they are, beside Host and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** For the whole exchange: name, connection, TLS, headers, body. Default 5000. */
  readonly deadlineMs?: number
  /**
   * How much of the answer's body is read before the connection is cut. Default 4096; an answer of
   * more than 1 MB with its headers and framing is not read to its end.
   */
  readonly maxResponseBytes?: number
}

/** A complete answer, or one that was cut at maxResponseBytes. */
export interface OutboundAnswer {
  /** The status is 2xx. Redirects are not followed, so a 3xx is not ok. */
  readonly ok: boolean
  readonly status: number
  /** As it came, not decompressed. */
  readonly body: Buffer
  readonly truncated: boolean
  /** The body's beginning as text that any database stores: at most 1000 characters, no NUL. */
  readonly excerpt: string
  readonly durationMs: number
}

export interface OutboundNoAnswer {
  readonly ok: false
  readonly status: null
  /** One short English sentence part. Every refused address gives the same one, and no packet was sent to it. */
  readonly error: string
  readonly durationMs: number
}

export type OutboundResult = OutboundAnswer | OutboundNoAnswer

export interface Outbound {
  /** Never throws for what the other side does or fails to do; a malformed header is a TypeError. */
  post(request: OutboundRequest): Promise<OutboundResult>
  /** Ends every connection; posts under way and later ones end unanswered. */
  close(): Promise<void>
}

export interface UrlPolicy extends AddressPolicy {
  readonly requireHttps: boolean
}

export const ADDRESS_REFUSED = 'the address is not allowed'

/**
 * Why a request to this URL is refused before any name is looked up, or undefined. The URL parser
 * has already turned every spelling of an IPv4 address (hexadecimal, octal, one number, full-width
 * digits) into the dotted one. A name is accepted: what it resolves to is judged when connecting.
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
