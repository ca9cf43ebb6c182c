/** What the assistant asks for, in the address of the page. */

const query = new URLSearchParams(location.search)

export const ASKED = {
  clientId: query.get('client_id') ?? '',
  redirectUri: query.get('redirect_uri') ?? '',
  state: query.get('state') ?? undefined,
  scope: query.get('scope') || undefined,
  resource: query.get('resource') || undefined,
  codeChallenge: query.get('code_challenge') ?? '',
}

/** What is wrong with the request itself, in the words of RFC 6749 (4.1.2.1); '': nothing. */
export const faultOfRequest = (): string => {
  const names = [...query.keys()]
  if (new Set(names).size < names.length) return 'invalid_request'
  if (!query.has('response_type')) return 'invalid_request'
  if (query.get('response_type') !== 'code') return 'unsupported_response_type'
  const isChallenge = /^[\w-]{43}$/.test(ASKED.codeChallenge) && query.get('code_challenge_method') === 'S256'
  return isChallenge ? '' : 'invalid_request'
}
