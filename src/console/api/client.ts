import createClient from 'openapi-fetch'
import { NoReply, replyTo, textOf } from '../../shared/reply-to.ts'
import type { KeyedPaths } from './keyed-paths.ts'
import { hasFailed, Problem, problemOf, unreachable } from './problem.ts'
import { accessToken, renew } from './session.ts'

export type { Query, Schemas } from './schemas.ts'

const TIMEOUT_MILLIS = 30_000

let isReachable = true
const watchers = new Set<() => void>()
const setReachable = (reachable: boolean): void => {
  if (reachable === isReachable) return
  isReachable = reachable
  for (const watcher of watchers) watcher()
}

/** Whether the last request got a reply. */
export const reachability = {
  get: (): boolean => isReachable,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
}

const send = async (request: Request): Promise<Response> => {
  request.headers.set('Authorization', `Bearer ${accessToken()}`)
  // Not AbortSignal.any, which browsers of 2023 lack.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MILLIS)
  request.signal.addEventListener('abort', () => limit.abort())
  const limited = new Request(request, { cache: 'no-store', signal: limit.signal })
  try {
    const response = await replyTo(limited)
    setReachable(true)
    return response
  } catch (error) {
    // The page itself gave the request up: it says nothing of the network.
    if (error instanceof NoReply && !request.signal.aborted) setReachable(false)
    return unreachable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Sends a request in the name of whoever is signed in, and once more with a new token where the former has ended. */
export const sendAsUser = async (request: Request): Promise<Response> => {
  const again = request.clone()
  const first = accessToken() === '' ? undefined : await send(request)
  if (first && first.status !== 401) return first
  const isRenewed = await renew()
  if (!isRenewed) throw first ? await problemOf(first) : new Problem(401)
  return send(again)
}

/** Statuses of replies that have no body. */
const BODILESS: readonly number[] = [204, 205, 304]

/** Sends a request for something in JSON, and reads the whole reply: its end may be lost too. */
const ask = async (request: Request): Promise<Response> => {
  const reply = await sendAsUser(request)
  const text = await textOf(reply).catch(unreachable)
  return new Response(BODILESS.includes(reply.status) ? null : text, reply)
}

/**
 * The API. A reply that refuses throws its Problem, so `data` of a reply is what a success answers: `answer` takes it.
 * A POST says by its Idempotency-Key which intent it belongs to: `useChange` gives it one.
 */
export const api = createClient<KeyedPaths>({ baseUrl: `${location.origin}/api/v1`, fetch: ask })
api.use({
  onResponse: async ({ response }) => {
    if (hasFailed(response)) throw await problemOf(response)
  },
})

/** What the reply to a request holds. @throws Problem */
export const answer = async <T>(reply: Promise<{ data?: T }>): Promise<T> => (await reply).data as T
