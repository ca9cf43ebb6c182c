import { randomUUID } from 'node:crypto'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { Malformed } from '#kernel/values/errors.ts'
import { errorBody } from '#http/replies/error-body.ts'

const REASONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The address and the headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

/**
 * Answers requests that Node cannot parse (not HTTP, too many headers, too slow) with the error envelope too: 400
 * MALFORMED_REQUEST. It then closes the connection.
 */
export const refuseUnreadable = (server: Server, log: Logger): void => {
  const replies = new WeakMap<object, ServerResponse>()
  const remember: RequestListener = (request, response) => replies.set(request.socket, response)
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, remember)
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const reply = replies.get(socket)
    // An earlier request on this connection is still running: answer it, then close the connection.
    if (reply?.req.complete && !reply.writableEnded) {
      reply.shouldKeepAlive = false
      socket.pause()
      return
    }
    const isWithinReply = reply?.headersSent === true && !reply.writableFinished
    if (!socket.writable || isWithinReply) {
      socket.destroy(error)
      return
    }
    const requestId = randomUUID()
    const reason = REASONS[error.code ?? ''] ?? 'The request is not HTTP.'
    const body = JSON.stringify(errorBody(Malformed({ reason }), requestId))
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Connection: close',
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroySoon()
    log.info({ requestId, status: 400, code: error.code, ip: socket.remoteAddress }, 'unreadable request')
  })
}
