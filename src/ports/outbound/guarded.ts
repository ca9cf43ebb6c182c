import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import { type AddressPolicy, isAddressAllowed } from './addresses.ts'
import { excerptOf } from './excerpt.ts'
import { guardReading } from './reading.ts'
import {
  ADDRESS_REFUSED,
  checkUrl,
  type Outbound,
  type OutboundGet,
  type OutboundResult,
  type UrlPolicy,
} from './port.ts'
import { OutboundFailure, reasonOf } from './reason.ts'
import { type Resolve, resolveAsSystem, resolveByNameServers, sharingLookups } from './resolve.ts'

export interface GuardedOutboundOptions {
  readonly policy: UrlPolicy
  /** Default: the name servers if private addresses are blocked, otherwise the resolver of the operating system. */
  readonly resolve?: Resolve
  /**
   * Connections per scheme, host and port; default 64. Further requests wait for one while their deadline runs: a
   * caller with fewer requests to one host in flight never waits.
   */
  readonly socketsPerHost?: number
}

const DEFAULT_DEADLINE_MS = 5000
const DEFAULT_RESPONSE_BYTES = 4096

/** An attempt to connect ends after this time, whatever the deadline of its request. */
const CONNECT_LIMIT_MS = 6000

/** After this time a connection is replaced, so that the name is resolved and checked again. */
const CONNECTION_LIFE_MS = 60_000

/** The longest time that an idle connection is kept, if the server announces more than the default of 4 s. */
const MAX_IDLE_MS = 30_000

/**
 * Makes an Outbound over HTTP/1.1 with keep-alive. Resolving a name, checking its addresses and connecting is one step,
 * and a kept connection stays with the address that was checked. So a name cannot point to another address after the
 * check (DNS rebinding).
 */
export function guardedOutbound(options: GuardedOutboundOptions): Outbound {
  const { policy } = options
  let opening: Promise<Agent> | undefined
  let closed = false

  const agent = () => (opening ??= openAgent(options))

  // Caches the result per URL: the same few URLs are used again and again.
  const targets = new BoundedCache<string, Target>(1000)

  const send = async (method: 'GET' | 'POST', request: OutboundGet & { body?: string | Buffer }) => {
    const target = targets.get(request.url, () => targetOf(request.url, policy))
    const refusal = closed ? 'the service is shutting down' : target.refusal
    if (refusal !== undefined) return { ok: false as const, status: null, error: refusal, durationMs: 0 }
    return sendRequest(await agent(), target, { ...request, method })
  }

  return {
    post: (request) => send('POST', request),
    get: (request) => send('GET', request),
    async close() {
      closed = true
      await (await opening)?.destroy()
    },
  }
}

interface Target {
  /** Why no request is sent to it, before its name is resolved; undefined: it is allowed. */
  refusal: string | undefined
  origin: string
  path: string
}

function targetOf(url: string, policy: UrlPolicy): Target {
  const refusal = checkUrl(url, policy)
  if (refusal !== undefined) return { refusal, origin: '', path: '' }
  const { origin, pathname, search } = new URL(url)
  return { refusal, origin, path: pathname + search }
}

// Loading undici takes longer than the rest of the program's start, so the first request loads it.
async function openAgent({ policy, resolve, socketsPerHost = 64 }: GuardedOutboundOptions): Promise<Agent> {
  const undici = await import('undici')
  const resolver = sharingLookups(resolve ?? (policy.blockPrivate ? resolveByNameServers() : resolveAsSystem))
  return new undici.Agent({
    connect: guardedConnector(undici.buildConnector, policy, resolver),
    connections: socketsPerHost,
    clientTtl: CONNECTION_LIFE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

// Node does not look up literal addresses: checkUrl has checked them before the request.
function guardedConnector(build: typeof buildConnector, policy: UrlPolicy, resolve: Resolve): buildConnector.connector {
  const lookup: LookupFunction = (host, { all }, callback) => {
    resolveAllowed(host, policy, resolve).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0].address, addresses[0].family)
      },
      (error: unknown) => callback(error as Error, ''),
    )
  }
  const connect = build({ allowH2: false, timeout: CONNECT_LIMIT_MS, lookup })
  return (target, callback) => {
    connect(target, (...outcome) => {
      const [error, socket] = outcome
      if (error === null) guardReading(socket)
      callback(...outcome)
    })
  }
}

type Addresses = [{ address: string; family: number }, ...{ address: string; family: number }[]]

/**
 * The addresses of a host that may be connected to. If one address of a name is refused, the name is refused: which of
 * them gets the connection is random.
 * @throws OutboundFailure
 */
async function resolveAllowed(host: string, policy: AddressPolicy, resolve: Resolve): Promise<Addresses> {
  const [first, ...rest] = await resolve(host).catch(() => [])
  if (first === undefined) throw new OutboundFailure('the host name could not be resolved')
  const addresses: Addresses = [{ ...first }, ...rest]
  if (!addresses.every(({ address }) => isAddressAllowed(address, policy))) throw new OutboundFailure(ADDRESS_REFUSED)
  return addresses
}

/**
 * Chooses the address for a connection that is not HTTP, such as to a mail server, by the same rules.
 * @returns resolves a name or a literal address to the address to connect to; it throws OutboundFailure
 */
export function guardedAddress(policy: AddressPolicy, resolve?: Resolve): (host: string) => Promise<string> {
  const resolver = sharingLookups(resolve ?? (policy.blockPrivate ? resolveByNameServers() : resolveAsSystem))
  return async (host) => {
    if (isIP(host) === 0) return (await resolveAllowed(host, policy, resolver))[0].address
    if (!isAddressAllowed(host, policy)) throw new OutboundFailure(ADDRESS_REFUSED)
    return host
  }
}

function sendRequest(
  agent: Agent,
  { origin, path }: Target,
  request: OutboundGet & { method: 'GET' | 'POST'; body?: string | Buffer },
): Promise<OutboundResult> {
  const { method, headers, body: sent = null, reads } = request
  const { deadlineMs = DEFAULT_DEADLINE_MS, maxResponseBytes = DEFAULT_RESPONSE_BYTES } = request
  const started = performance.now()

  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
    let retryAfter: string | undefined
    const read: Record<string, string> = {}
    let size = 0
    const chunks: Buffer[] = []

    const elapsed = () => performance.now() - started
    const settle = (result: OutboundResult) => {
      settled = true
      clearTimeout(timer)
      resolve(result)
    }
    const answer = (truncated: boolean) => {
      const body = Buffer.concat(chunks)
      const excerpt = excerptOf(body, truncated)
      const ok = status >= 200 && status <= 299
      const durationMs = Math.round(elapsed())
      const more = { ...(retryAfter !== undefined && { retryAfter }), ...(reads && { headers: read }) }
      settle({ ok, status, body, truncated, excerpt, durationMs, ...more })
    }
    const fail = (error: string) => settle({ ok: false, status: null, error, durationMs: Math.round(elapsed()) })
    const abandon = (why: string) => connection?.abort(new Error(why))

    // Timers count from the start of the event loop's turn, so they can fire early.
    const expire = () => {
      const left = deadlineMs - elapsed()
      if (left > 0) {
        timer = setTimeout(expire, Math.ceil(left))
        return
      }
      fail(`no complete answer within ${deadlineMs / 1000} s`)
      abandon('past its deadline')
    }
    let timer = setTimeout(expire, deadlineMs)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // Throwing removes the request from the queue and leaves the connection to the next one.
        if (settled) throw new Error('past its deadline')
        connection = controller
      },
      onResponseStart(_controller, code, received) {
        status = code
        const wait = received['retry-after']
        if (typeof wait === 'string') retryAfter = wait
        for (const name of reads ?? []) {
          const value = received[name]
          if (typeof value === 'string') read[name] = value
        }
      },
      onResponseData(_controller, chunk) {
        if (settled) return
        const room = maxResponseBytes - size
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
        size += chunk.length
        if (size <= maxResponseBytes) return
        answer(true)
        abandon('as much as is wanted was read')
      },
      onResponseEnd() {
        if (!settled) answer(false)
      },
      onResponseError(_controller, error) {
        if (settled) return
        if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') {
          clearTimeout(timer)
          reject(new TypeError(error.message))
          return
        }
        fail(reasonOf(error))
      },
    }
    agent.dispatch({ origin, path, method, headers, body: sent }, handler)
  })
}
