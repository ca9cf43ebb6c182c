/** An error whose message may be stored with the delivery. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
}

const CLOSED_EARLY = 'the connection was closed before the answer was complete'
const NO_CONNECTION = 'no connection could be made'
const UNKNOWN_ISSUER = 'the TLS certificate is not from a trusted authority'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: NO_CONNECTION,
  EHOSTUNREACH: NO_CONNECTION,
  EHOSTDOWN: NO_CONNECTION,
  ENETUNREACH: NO_CONNECTION,
  EADDRNOTAVAIL: NO_CONNECTION,
  EACCES: NO_CONNECTION,
  EPERM: NO_CONNECTION,
  ETIMEDOUT: NO_CONNECTION,
  UND_ERR_CONNECT_TIMEOUT: NO_CONNECTION,
  ECONNRESET: CLOSED_EARLY,
  EPIPE: CLOSED_EARLY,
  UND_ERR_SOCKET: CLOSED_EARLY,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: CLOSED_EARLY,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_DESTROYED: 'the service is shutting down',
  UND_ERR_CLOSED: 'the service is shutting down',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  CERT_NOT_YET_VALID: 'the TLS certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host',
  CERT_SIGNATURE_FAILURE: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
}

/** Explains why a request failed, for the person who set up the receiver. */
export function reasonOf(error: Error): string {
  if (error instanceof OutboundFailure) return error.message
  const code = 'code' in error ? String(error.code) : ''
  const reason = REASONS[code]
  if (reason !== undefined) return reason
  if (error.name === 'HTTPParserError') return 'the answer is not valid HTTP'
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO|CERT_)/.test(code)) return 'the TLS handshake failed'
  return 'the request failed'
}
