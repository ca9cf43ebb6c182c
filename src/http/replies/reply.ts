import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Content, Redirect } from '#kernel/values/media.ts'
import { closeAfter, MIN_BYTES_PER_SECOND, type ConnectionSettings } from './connections.ts'

/** The reply to a request. */
export interface Reply {
  status: number
  headers: Record<string, string>
  /** A stream has its Content-Length in `headers`, where it is known before. */
  body: string | Buffer | AsyncIterable<Uint8Array>
}

const NO_STORE = { 'Cache-Control': 'no-store' }
export const JSON_NO_STORE = { ...NO_STORE, 'Content-Type': 'application/json; charset=utf-8' }

export const jsonReply = ({ status, body }: { status: number; body: string }): Reply => ({
  status,
  headers: body === '' ? NO_STORE : JSON_NO_STORE,
  body,
})

/** Content that a change made: there is no part of it to ask for, and no version to compare. */
export const pageReply = (status: number, { type, body, headers }: Content): Reply => ({
  status,
  headers: { ...NO_STORE, ...headers, 'Content-Type': type },
  body: body as string | Buffer,
})

export const redirectReply = (status: number, { location, headers }: Redirect): Reply => ({
  status,
  headers: { ...NO_STORE, ...headers, Location: location },
  body: '',
})

const hasNoBody = (status: number): boolean => status === 204 || status === 304

const timeFor = (bytes: number): number => (bytes / MIN_BYTES_PER_SECOND) * 1000

/** The parts of a body of unknown length. The caller must take each of them in time, or the connection is closed. */
async function* eachInTime(
  body: AsyncIterable<Uint8Array>,
  { req: { socket } }: ServerResponse,
  millis: number,
): AsyncGenerator<Uint8Array> {
  for await (const part of body) {
    const cut = setTimeout(() => socket.destroy(), millis + timeFor(part.length))
    try {
      yield part
    } finally {
      clearTimeout(cut)
    }
  }
}

/**
 * Writes a reply. If one side of a stream goes away, or the caller reads nothing or too slowly, both sides are closed.
 * @param common headers that every reply has
 * @returns when the reply was written; for a stream, when it has ended
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
  // Without a listener for it, this timeout makes Node close the connection when the caller has read nothing for that
  // long.
  response.setTimeout(millis)
  const { 'Content-Length': length } = all
  if (length !== undefined) closeAfter(response, response.req.socket, millis + timeFor(Number(length)))
  const parts = length === undefined ? eachInTime(body, response, millis) : body
  // Ignore errors: both sides are closed then, and the caller notices from Content-Length, or from the last chunk, that
  // bytes are missing.
  await new Promise<void>((resolve) => pipeline(parts, response, () => resolve()))
}
