import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { closeAfter, MIN_BYTES_PER_SECOND, type ConnectionSettings } from './connections.ts'

/** What a request is answered with. */
export interface Reply {
  status: number
  headers: Record<string, string>
  /** Of a stream, Content-Length stands in the headers. */
  body: string | Buffer | AsyncIterable<Uint8Array>
}

const hasNoBody = (status: number): boolean => status === 204 || status === 304

/**
 * Writes a reply. What is streamed ends, on both sides, when either goes away, or when the caller takes nothing of it or
 * very little.
 * @param common headers that it has whatever it says
 * @returns once it was handed over, and a stream has come to its end
 */
export const send = async (
  response: ServerResponse,
  { status, headers, body }: Reply,
  { common, connections }: { common: Reply['headers']; connections: ConnectionSettings },
): Promise<void> => {
  const all: Record<string, string | number> = { ...common, ...headers }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    if (!hasNoBody(status)) all['Content-Length'] ??= Buffer.byteLength(body)
    response.writeHead(status, all)
    response.end(body)
    return
  }
  const millis = connections.replySeconds * 1000
  response.writeHead(status, all)
  // Without a listener, Node ends a connection of which nothing was taken for so long.
  response.setTimeout(millis)
  closeAfter(response, response.req.socket, millis + (Number(all['Content-Length']) / MIN_BYTES_PER_SECOND) * 1000)
  // Whatever broke it off: both ends are closed by then, and the caller knows by the length.
  await new Promise<void>((resolve) => pipeline(body, response, () => resolve()))
}
