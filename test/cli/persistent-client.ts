import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { client, type Client, type Reply, type Send } from '#kit/client.ts'

/** Between two attempts: the program may be starting. */
const PAUSE_MILLIS = 100
/** A killed request blocks its repeat for nine seconds, and that may be killed too. */
const GIVE_UP_MILLIS = 150_000

/** Whether the answer says that the first attempt may still go on, or asks to come again. */
const comesLater = ({ status, body }: Reply): boolean =>
  status >= 500 || status === 429 || (status === 409 && /still running/.test(body?.error?.message ?? ''))

type PersistentClient = Client & {
  /** How often a request was sent again. */
  repeats: () => number
  /** Waits until so many more were sent; one waits at a time. */
  afterRequests: (number: number) => Promise<void>
}

/**
 * Sends each change with a key of its own, and again with that key until it is answered, however often the program dies
 * meanwhile. @param url where the program is now
 */
export const persistentClient = (url: () => string, credential: string): PersistentClient => {
  let repeats = 0
  let sent = 0
  let awaited: { sent: number; reached: () => void } | undefined
  const send = async (method: string, path: string, options: Send = {}): Promise<Reply> => {
    const headers = { ...options.headers, ...(method !== 'GET' && { 'idempotency-key': randomUUID() }) }
    const until = performance.now() + GIVE_UP_MILLIS
    for (;;) {
      sent += 1
      if (sent === awaited?.sent) awaited.reached()
      const reply = await client(url(), credential)
        .send(method, path, { ...options, headers })
        .catch(() => undefined)
      if (reply && !comesLater(reply)) return reply
      if (performance.now() > until) throw new Error(`${method} ${path}: no answer`)
      repeats += 1
      await pause(PAUSE_MILLIS)
    }
  }
  return {
    credential,
    repeats: () => repeats,
    afterRequests: (number) =>
      new Promise((resolve) => {
        awaited = { sent: sent + number, reached: resolve }
      }),
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, { body }),
    put: (path, body) => send('PUT', path, { body }),
    patch: (path, body) => send('PATCH', path, { body }),
    delete: (path) => send('DELETE', path),
    as: (other) => persistentClient(url, other ?? ''),
  }
}
