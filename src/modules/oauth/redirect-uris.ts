/** What may be a redirect URI, which of them a request may name, and how people read it. */

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * A scheme of a client's own is a domain in reverse (`org.example.app`; RFC 8252, 7.1): nobody else uses it. Of those
 * without a dot many start a program that has nothing to do with the client, such as `ms-settings` or `ssh`.
 */
const REVERSE_DOMAIN = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

const MAX_LENGTH = 2000

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.includes(hostname)

/** Whether a client may register it, and a request name it: what was registered under other rules is looked at again. */
export const isRedirectUri = (uri: string): boolean => {
  // URL parsers drop blanks and line breaks, so that the text would differ from what was checked.
  const url = uri.length > MAX_LENGTH || /[\s\p{Cc}\\]/u.test(uri) ? null : URL.parse(uri)
  if (url === null || uri.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(url)
  return REVERSE_DOMAIN.test(url.protocol)
}

/** The port of an address on this computer is whichever is free when the client starts (RFC 8252, 7.3). */
const withoutPort = (uri: string): string => {
  const url = URL.parse(uri)
  if (!url || !isLoopback(url)) return uri
  return uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1')
}

/** Whether a request may name it: it is exactly one of those that are registered, but for the port of a loopback. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  isRedirectUri(uri) && registered.some((one) => one === uri || withoutPort(one) === withoutPort(uri))

/** Where it leads, for people: a host, or the scheme of a program on their device. */
export const hostOf = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

/** Adds parameters to the query, which otherwise stays as it was registered. */
export const withParameters = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`
}
