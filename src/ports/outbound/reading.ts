import type { Socket } from 'node:net'

/** The limit for one response on the wire: interim responses, headers, chunk framing and body. */
const ANSWER_BYTES = 2 ** 20

const INTERIM_STATUS = Buffer.from('HTTP/1.1 1')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const CR = 0x0d
const ZERO = 0x30
const TWO = 0x32

/**
 * Filters what undici's parser reads from a client connection. If a server floods it (with interim responses or chunk
 * extensions, which no handler sees), it stops reading and lets the deadline end the request. A server may also send
 * `100 Continue` without being asked, which clients must ignore (RFC 9110 15.2). undici treats that as a broken
 * response but ignores `102 Processing`, so the number is replaced; its length is the same.
 */
export function guardReading(socket: Socket): void {
  const push = socket.push.bind(socket)
  let written = 0
  let left = 0
  let renumber = interimRenumberer()

  socket.push = (chunk: unknown, encoding) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk, encoding)
    // There is one request at a time: if bytes were written since the last chunk, a new request has begun.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten
      left = ANSWER_BYTES
      renumber = interimRenumberer()
    }
    left -= chunk.length
    if (left < 0) return false
    renumber(chunk)
    return push(chunk, encoding)
  }
}

/**
 * Returns a function that replaces 100 by 102 in the interim responses before the status line. It keeps its state over
 * the chunks of one response.
 */
function interimRenumberer(): (chunk: Buffer) => void {
  let beyond = false
  let inHeaders = false
  let matched = 0

  return (chunk) => {
    for (let at = 0; at < chunk.length && !beyond; at++) {
      const byte = chunk[at]
      if (inHeaders) {
        if (byte === END_OF_HEADERS[matched]) matched++
        else matched = byte === CR ? 1 : 0
        if (matched === END_OF_HEADERS.length) {
          inHeaders = false
          matched = 0
        }
      } else if (matched < INTERIM_STATUS.length) {
        beyond = byte !== INTERIM_STATUS[matched++]
      } else if (matched === INTERIM_STATUS.length) {
        matched++
      } else {
        if (byte === ZERO) chunk[at] = TWO
        inHeaders = true
        matched = 0
      }
    }
  }
}
