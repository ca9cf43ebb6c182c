/**
 * Returns the root address of what a person typed or pasted: adds http:// to `192.168.1.20:8080`, and cuts the path of
 * this very page from the address that the server printed. Null for anything but an http(s) address, for one with a user
 * name, and for one with another path.
 * @param {string} typed
 * @returns {string | null}
 */
export function rootAddress(typed) {
  const url = webAddress(typed)
  return url && hasOwnPath(url) ? url.origin : null
}

/**
 * What is wrong with what a person typed as the address of this server; null: nothing.
 * @param {string} typed
 * @returns {'address.url.wrong' | 'address.url.path' | null}
 */
export function faultOfAddress(typed) {
  const url = webAddress(typed)
  if (!url) return 'address.url.wrong'
  return hasOwnPath(url) ? null : 'address.url.path'
}

/** @param {string} typed */
function webAddress(typed) {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  const full = text.includes('://') ? text : `http://${text}`
  const url = parsed(full)
  if (!url) return null
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.hostname !== '' && url.username === '' && url.password === '' ? url : null
}

/** @param {URL} url */
function hasOwnPath({ pathname }) {
  return pathname === '/' || /^\/setup\/?$/.test(pathname)
}

/**
 * What a person should know about an address before they give it to staff.
 * @param {string} root as rootAddress returns it
 * @returns {'loopback' | 'plain-http' | null} reachable from this computer alone; unencrypted outside a local network
 */
export function cautionAbout(root) {
  const { hostname, protocol } = new URL(root)
  if (/^(localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname)) return 'loopback'
  return protocol === 'http:' && !isLocalName(hostname) ? 'plain-http' : null
}

/** @param {string} hostname */
function isLocalName(hostname) {
  if (/^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname)) return true
  if (/^\[(f[cd]|fe[89ab])/.test(hostname)) return true
  return !/[.:]/.test(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname)
}

/**
 * Finds the setup token in pasted text: either the token itself, or the whole printed address with `#token=`.
 * @param {string} pasted
 */
export function setupTokenIn(pasted) {
  const text = pasted.trim()
  const fragment = text.includes('#') ? text.slice(text.indexOf('#') + 1) : text
  return new URLSearchParams(fragment).get('token')?.trim() ?? text
}

/**
 * URL.parse, which browsers of 2023 lack.
 * @param {string} address
 */
function parsed(address) {
  try {
    return new URL(address)
  } catch {
    return null
  }
}
