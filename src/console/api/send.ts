import { NoReply, replyTo, textOf } from '../../shared/reply-to.ts'
import { hasFailed, Problem, problemOf, unreachable } from './problem.ts'
import { accessToken, renew } from './session.ts'

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

/** What the server's clock said when it last answered, and the clock of this device then, in milliseconds. */
let heard = { server: Number.NaN, here: Number.NaN }
export const clocksHeard = (): { server: number; here: number } => heard

export const send = async (request: Request): Promise<Response> => {
  // Not AbortSignal.any, which browsers of 2023 lack.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MILLIS)
  request.signal.addEventListener('abort', () => limit.abort())
  const limited = new Request(request, { cache: 'no-store', signal: limit.signal })
  try {
    const response = await replyTo(limited)
    setReachable(true)
    heard = { server: Date.parse(response.headers.get('Date') ?? ''), here: Date.now() }
    return response
  } catch (error) {
    // The page itself gave the request up: it says nothing of the network.
    if (error instanceof NoReply && !request.signal.aborted) setReachable(false)
    return unreachable(error)
  } finally {
    clearTimeout(timer)
  }
}

const sendWithToken = (request: Request): Promise<Response> => {
  request.headers.set('Authorization', `Bearer ${accessToken()}`)
  return send(request)
}

/**
 * Whether the token may be what was refused. A wrong password or code is refused with the same status: sent once more, it
 * would count as two wrong ones.
 */
const isTokenRefused = async (reply: Response): Promise<boolean> =>
  reply.status === 401 && (await problemOf(reply.clone())).code !== 'INVALID_CREDENTIALS'

/** Sends a request in the name of whoever is signed in, and once more with a new token where the former has ended. */
export const sendAsUser = async (request: Request): Promise<Response> => {
  const again = request.clone()
  const first = accessToken() === '' ? undefined : await sendWithToken(request)
  if (first && !(await isTokenRefused(first))) return first
  const isRenewed = await renew()
  if (!isRenewed) throw first ? await problemOf(first) : new Problem(401)
  return sendWithToken(again)
}

/** Statuses of replies that have no body. */
const BODILESS: readonly number[] = [204, 205, 304]

/** Reads the whole of a reply in JSON: its end may be lost too. */
export const whole = async (reply: Response): Promise<Response> => {
  const text = await textOf(reply).catch(unreachable)
  return new Response(BODILESS.includes(reply.status) ? null : text, reply)
}

/** A text that this server shows to anybody, and that lies beside the API. @throws Problem */
export const textBesideApi = async (path: `/${string}`, signal: AbortSignal): Promise<string> => {
  const reply = await whole(await send(new Request(location.origin + path, { signal })))
  if (hasFailed(reply)) throw await problemOf(reply)
  return reply.text()
}

/**
 * What belongs to a page of this server, and to no program: it lies beside the API.
 * @param options.isUser whether it is asked in the name of whoever is signed in
 * @throws Problem
 */
export const besideApi = async <T>(
  path: `/${string}`,
  { headers, body, isUser = false }: { headers?: Record<string, string>; body?: unknown; isUser?: boolean } = {},
): Promise<T> => {
  const request = new Request(location.origin + path, {
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const reply = await whole(await (isUser ? sendAsUser : send)(request))
  if (hasFailed(reply)) throw await problemOf(reply)
  return (await reply.json()) as T
}
