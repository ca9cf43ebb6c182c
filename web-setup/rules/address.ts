/** What a person should know of an address before they give it to staff. */
export type Caution = 'loopback' | 'plainHttp'

/**
 * Returns the root address of what a person typed or pasted: adds http:// to `192.168.1.20:8080`, and cuts the path of
 * this very page from the address that the server printed. Null for anything but an http(s) address, for one with a user
 * name, and for one with another path.
 */
export function rootAddress(typed: string): string | null {
  const url = webAddress(typed)
  return url && hasOwnPath(url) ? url.origin : null
}

/** What is wrong with what a person typed as the address of this server; null: nothing. */
export function faultOfAddress(typed: string): 'urlWrong' | 'urlPath' | null {
  const url = webAddress(typed)
  if (!url) return 'urlWrong'
  return hasOwnPath(url) ? null : 'urlPath'
}

function webAddress(typed: string): URL | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  const full = text.includes('://') ? text : `http://${text}`
  const url = parsed(full)
  if (!url) return null
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.hostname !== '' && url.username === '' && url.password === '' ? url : null
}

function hasOwnPath({ pathname }: URL): boolean {
  return pathname === '/' || /^\/setup\/?$/.test(pathname)
}

/**
 * What a person should know about an address before they give it to staff.
 * @param root as rootAddress returns it
 * @returns loopback: reachable from this computer alone; plainHttp: unencrypted outside a local network
 */
export function cautionAbout(root: string): Caution | null {
  const { hostname, protocol } = new URL(root)
  if (/^(localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname)) return 'loopback'
  return protocol === 'http:' && !isLocalName(hostname) ? 'plainHttp' : null
}

function isLocalName(hostname: string): boolean {
  if (/^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname)) return true
  if (/^\[(f[cd]|fe[89ab])/.test(hostname)) return true
  return !/[.:]/.test(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname)
}

/** Finds the setup token in pasted text: either the token itself, or the whole printed address with `#token=`. */
export function setupTokenIn(pasted: string): string {
  const text = pasted.trim()
  const fragment = text.includes('#') ? text.slice(text.indexOf('#') + 1) : text
  return new URLSearchParams(fragment).get('token')?.trim() ?? text
}

/** URL.parse, which browsers of 2023 lack. */
function parsed(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}
