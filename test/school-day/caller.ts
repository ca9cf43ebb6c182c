import { setTimeout as pause } from 'node:timers/promises'
import { API_ROOT } from '#http/server/server.ts'
import type { Deployment } from './deployment.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- replies are read where their shape is known
type Reply = any

/** A request whose process died blocks its repeats for nine seconds; one that is stopped answers when it goes on. */
const GIVE_UP_MILLIS = 90_000

/**
 * Calls the API like a careful integrator: every change has its own Idempotency-Key, and is sent again with that key
 * until a reply comes, even if the server dies meanwhile.
 */
export class Caller {
  readonly #deployment: Pick<Deployment, 'url'>
  readonly #credential: string | undefined
  readonly #changed: () => void
  requests = 0
  retries = 0
  /** From the first attempt to the answer, in milliseconds: the longest that a request took. */
  longestWait = 0

  /** @param changed called after every change, as soon as its reply is there */
  constructor(deployment: Pick<Deployment, 'url'>, credential?: string, changed: () => void = () => {}) {
    this.#deployment = deployment
    this.#credential = credential
    this.#changed = changed
  }

  async send(method: string, path: string, body?: unknown, key?: string): Promise<Reply> {
    const begun = performance.now()
    for (;;) {
      const response = await this.attempt(method, path, body, key)
      if (response?.ok && method !== 'GET') this.#changed()
      if (response && response.status < 500 && response.status !== 429) {
        const text = await response.text()
        const reply: Reply = text === '' ? undefined : JSON.parse(text)
        if (response.ok) {
          this.waited(begun)
          return reply
        }
        // The first attempt may still be running; the server will store its reply under the key.
        if (reply.error.code !== 'CONFLICT' || !/still running/.test(reply.error.message)) {
          throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`)
        }
      }
      if (performance.now() - begun > GIVE_UP_MILLIS) throw new Error(`${method} ${path}: no answer`)
      this.retries += 1
      await pause(response?.status === 429 ? Number(response.headers.get('retry-after') ?? 1) * 1000 : 100)
    }
  }

  /** Notes that an answer came to what began then. */
  waited(begun: number): void {
    this.longestWait = Math.max(this.longestWait, performance.now() - begun)
  }

  /** Sends it once. @returns undefined when no answer came */
  async attempt(method: string, path: string, body?: unknown, key?: string): Promise<Response | undefined> {
    this.requests += 1
    try {
      return await fetch(this.#deployment.url + API_ROOT + path, {
        method,
        headers: {
          ...(this.#credential !== undefined && { authorization: `Bearer ${this.#credential}` }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch {
      return undefined
    }
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path)
  }

  /** All pages of a list. */
  async all(path: string): Promise<Reply[]> {
    const rows: Reply[] = []
    let cursor = ''
    do {
      const page = await this.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`)
      rows.push(...page.data)
      cursor = page.nextCursor ?? ''
    } while (cursor)
    return rows
  }
}
