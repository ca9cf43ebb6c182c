import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A body that nobody wants is read to its end where that is so near; else its connection ends. */
const MAX_DRAINED_BYTES = 64 * 1024

/** What still comes while a connection ends is read for so long, or the caller might never see why it ended. */
const LINGER_MILLIS = 1000

export interface ConnectionSettings {
  /** In which a caller has to take a reply. */
  replySeconds: number
  /** In which a body has to arrive. */
  bodySeconds: number
}

/** Who sends or takes less of a stream, over its whole length, is cut off. */
export const MIN_BYTES_PER_SECOND = 8 * 1024

/** Ends a connection at `millis`, unless `message` comes to its end before. */
export const closeAfter = (message: IncomingMessage | ServerResponse, socket: Socket, millis: number): void => {
  const cut = setTimeout(() => socket.destroy(), millis)
  message.once('close', () => clearTimeout(cut))
}

const isSmall = (request: IncomingMessage): boolean => {
  const length = request.headers['content-length']
  return request.readableFlowing === null && length !== undefined && Number(length) <= MAX_DRAINED_BYTES
}

/**
 * Before a reply is sent to a request of which something is still to come: has it read, or the connection ended with the
 * reply. What was not read would be taken for the next request.
 * @returns whether the connection ends
 */
export const drainOrClose = (request: IncomingMessage, { bodySeconds }: ConnectionSettings): boolean => {
  if (request.complete) return false
  const { socket } = request
  if (isSmall(request)) {
    closeAfter(request, socket, bodySeconds * 1000)
    return false
  }
  // As Node ends a connection after its last reply, but not with what was sent meanwhile unread: the caller's system
  // would then throw the reply away.
  socket.destroySoon = () => {
    socket.end()
    const cut = setTimeout(() => socket.destroy(), LINGER_MILLIS)
    socket.once('close', () => clearTimeout(cut))
  }
  return true
}

/** After a reply was sent: ends the connection of a caller who does not take it. */
export const closeSlowReader = (response: ServerResponse, { replySeconds }: ConnectionSettings): void => {
  const { socket, req } = response
  const isTaken = socket !== null && socket.writableLength === 0
  if (!isTaken) closeAfter(response, req.socket, replySeconds * 1000)
}
