import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { request } from 'undici'

export interface Reply {
  status: number
  headers: Headers
  /** Parsed JSON; undefined for an empty body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
  body: any
}

export interface Send {
  body?: unknown
  headers?: Record<string, string>
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer
}

/** A client of one server, with one credential. */
export interface Client {
  readonly credential: string | null
  send(method: string, path: string, options?: Send): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  put(path: string, body?: unknown): Promise<Reply>
  patch(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
  /** The same server with another credential; API keys (ims_…) send a new Idempotency-Key with each change. */
  as(credential: string | null): Client
}

const API = '/api/v1'

const headersOf = (given: IncomingHttpHeaders): Headers => {
  const headers = new Headers()
  for (const [name, values] of Object.entries(given)) {
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return headers
}

export const client = (url: string, credential: string | null = null): Client => {
  const send = async (method: string, path: string, { body, headers = {}, raw }: Send = {}): Promise<Reply> => {
    const isKey = credential?.startsWith('ims_') && method !== 'GET'
    // A test that filled a database has blocked the event loop: this lets the client drop connections that the server
    // closed.
    await nextTurn()
    // undici's request takes a fifth of the time of fetch, which counts for tens of thousands of requests. It follows
    // no redirects.
    const response = await request(path.startsWith('//') ? url + path.slice(1) : url + API + path, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(isKey && { 'idempotency-key': randomUUID() }),
        ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw } : body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    const reply = headersOf(response.headers)
    // A part (206) of a JSON document is not valid JSON, and neither is a compressed one.
    const isWhole = response.statusCode !== 206 && !reply.has('content-encoding')
    const isJson = isWhole && reply.get('content-type')?.startsWith('application/json')
    return {
      status: response.statusCode,
      headers: reply,
      body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    }
  }
  return {
    credential,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, { body }),
    put: (path, body) => send('PUT', path, { body }),
    patch: (path, body) => send('PATCH', path, { body }),
    delete: (path) => send('DELETE', path),
    as: (other) => client(url, other),
  }
}
