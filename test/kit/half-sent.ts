import { request } from 'node:http'
import { once } from 'node:events'
import type { Reply } from './client.ts'

interface HalfSent {
  method: string
  /** Relative to /api/v1. */
  path: string
  credential: string
  body?: unknown
  headers?: Record<string, string>
}

/**
 * Sends the head of a request, and its body only after `meanwhile`. The server's 100 Continue shows that it has
 * admitted the request and waits for the body.
 */
export const halfSent = async (
  url: string,
  { method, path, credential, body = {}, headers = {} }: HalfSent,
  meanwhile: () => Promise<unknown>,
): Promise<Reply> => {
  const text = JSON.stringify(body)
  const sent = request(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      expect: '100-continue',
      ...headers,
    },
  })
  const answered = once(sent, 'response')
  sent.flushHeaders()
  const refused = await Promise.race([once(sent, 'continue').then(() => undefined), answered])
  if (!refused) await meanwhile()
  sent.end(text)
  const [response] = await answered
  const reply = Buffer.concat(await response.toArray()).toString()
  return {
    status: response.statusCode,
    headers: new Headers(response.headers),
    body: reply === '' ? undefined : JSON.parse(reply),
  }
}
