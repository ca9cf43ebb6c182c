import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * An unread body up to this size is read and discarded, to keep the connection open. For a larger one, the connection
 * is closed.
 */
const MAX_DRAINED_BYTES = 64 * 1024

/**
 * When a connection is closed after a reply, incoming data is still discarded for this long. Otherwise the caller's
 * system might drop the reply.
 */
const LINGER_MILLIS = 1000

export interface ConnectionSettings {
  /** The time in which a caller must read a reply. */
  replySeconds: number
  /** The time in which a body must arrive. */
  bodySeconds: number
}

/** The minimum average speed of a stream, in both directions. A slower connection is closed. */
export const MIN_BYTES_PER_SECOND = 8 * 1024

/**
 * Destroys a connection after `millis`, unless `message` ends before. A message that has ended already emits no further
 * event, and its connection belongs to the next one.
 */
export const closeAfter = (message: IncomingMessage | ServerResponse, socket: Socket, millis: number): void => {
  if (message.closed) return
  const cut = setTimeout(() => socket.destroy(), millis)
  message.once('close', () => clearTimeout(cut))
}

const isSmall = (request: IncomingMessage): boolean => {
  const length = request.headers['content-length']
  return request.readableFlowing === null && length !== undefined && Number(length) <= MAX_DRAINED_BYTES
}

/**
 * Call it before replying to a request whose body may not have been read completely. It either discards a small rest,
 * or closes the connection after the reply: otherwise the rest would be parsed as the next request.
 * @returns whether the connection will be closed
 */
export const drainOrClose = (request: IncomingMessage, { bodySeconds }: ConnectionSettings): boolean => {
  if (request.complete) return false
  const { socket } = request
  if (isSmall(request)) {
    closeAfter(request, socket, bodySeconds * 1000)
    return false
  }
  // Node calls destroySoon after the last reply of a connection. Its own version leaves incoming data unread, and the
  // caller's system would then discard the reply.
  socket.destroySoon = () => {
    socket.end()
    const cut = setTimeout(() => socket.destroy(), LINGER_MILLIS)
    socket.once('close', () => clearTimeout(cut))
  }
  return true
}

/** Call it after sending a reply. It closes the connection if the caller does not read the reply in time. */
export const closeSlowReader = (response: ServerResponse, { replySeconds }: ConnectionSettings): void => {
  const { socket, req } = response
  const isTaken = socket !== null && socket.writableLength === 0
  if (!isTaken) closeAfter(response, req.socket, replySeconds * 1000)
}
