import type { Socket } from 'node:net'

/** All that one answer may be on the wire: interim answers, headers, chunk framing, body. */
const ANSWER_BYTES = 2 ** 20

const INTERIM_STATUS = Buffer.from('HTTP/1.1 1')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const CR = 0x0d
const ZERO = 0x30
const TWO = 0x32

/**
 * Stands between a client connection and undici's parser. A peer that floods it (with interim
 * answers or chunk extensions, which no handler sees) is read no further and is left to the
 * deadline. And a peer may send `100 Continue` unasked, which a client has to pass over (RFC 9110
 * 15.2): undici takes that for a broken answer but passes over `102 Processing`, so it gets to see
 * that number, at equal length.
 */
export function guardReading(socket: Socket): void {
  const push = socket.push.bind(socket)
  let written = 0
  let left = 0
  let renumber = interimRenumberer()

  socket.push = (chunk: unknown, encoding) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk, encoding)
    // One exchange at a time: bytes that were written since the last chunk are the next request.
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

/** Makes a 100 a 102, over the chunks of one answer, in the interim answers before its status line. */
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
