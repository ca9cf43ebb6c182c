import { randomUUID } from 'node:crypto'

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
  /** Sent as it is, in place of `body`. */
  raw?: string | Buffer
}

/** Speaks to one server with one credential. */
export interface Client {
  readonly credential: string | null
  send(method: string, path: string, options?: Send): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  put(path: string, body?: unknown): Promise<Reply>
  patch(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
  /** The same server with another credential; API keys (ims_…) send a fresh Idempotency-Key with each change. */
  as(credential: string | null): Client
}

const API = '/api/v1'

export const client = (url: string, credential: string | null = null): Client => {
  const send = async (method: string, path: string, { body, headers = {}, raw }: Send = {}): Promise<Reply> => {
    const isKey = credential?.startsWith('ims_') && method !== 'GET'
    const response = await fetch(path.startsWith('//') ? url + path.slice(1) : url + API + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(isKey && { 'idempotency-key': randomUUID() }),
        ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw } : body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // A part of a document is no document.
    const isJson = response.status !== 206 && response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
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
