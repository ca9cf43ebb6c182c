import type { LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { BoundedCache } from '#kernel/bounded-cache.ts'
import { isAddressAllowed } from './addresses.ts'
import { excerptOf } from './excerpt.ts'
import { guardReading } from './reading.ts'
import {
  ADDRESS_REFUSED,
  checkUrl,
  type Outbound,
  type OutboundRequest,
  type OutboundResult,
  type UrlPolicy,
} from './port.ts'
import { OutboundFailure, reasonOf } from './reason.ts'
import { type Resolve, resolveAsSystem, resolveByNameServers, sharingLookups } from './resolve.ts'

export interface GuardedOutboundOptions {
  readonly policy: UrlPolicy
  /** Default: the name servers where private addresses are blocked, else as the system resolves. */
  readonly resolve?: Resolve
  /**
   * Connections to one scheme, host and port; default 64. A post beyond them waits for one, and its
   * deadline runs on: a caller that has fewer posts to one host in flight never waits.
   */
  readonly socketsPerHost?: number
}

const DEFAULT_DEADLINE_MS = 5000
const DEFAULT_RESPONSE_BYTES = 4096

/** A connection that is not made by then gives its place free, whatever the deadline of its post. */
const CONNECT_LIMIT_MS = 6000

/** After this a name is looked up and judged again, however busy its connection is. */
const CONNECTION_LIFE_MS = 60_000

/** The longest that an idle connection is kept where the receiver announces more than 4 s. */
const MAX_IDLE_MS = 30_000

/**
 * Posts over HTTP/1.1 on kept connections. What a name resolves to is judged and connected to in
 * one step, and a kept connection stays with the address that was judged.
 */
export function guardedOutbound(options: GuardedOutboundOptions): Outbound {
  const { policy } = options
  let opening: Promise<Agent> | undefined
  let closed = false

  const agent = () => (opening ??= openAgent(options))

  // The same few addresses are posted to again and again.
  const targets = new BoundedCache<string, Target>(1000)

  return {
    async post(request) {
      const target = targets.get(request.url, () => targetOf(request.url, policy))
      const refusal = closed ? 'the service is shutting down' : target.refusal
      if (refusal !== undefined) return { ok: false, status: null, error: refusal, durationMs: 0 }
      return exchange(await agent(), target, request)
    },
    async close() {
      closed = true
      await (await opening)?.destroy()
    },
  }
}

interface Target {
  /** Why nothing is sent there, before any name is looked up. */
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

// undici takes longer to load than the rest of the program's start: the first post loads it.
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

// Node does not look up a literal address: checkUrl has judged it before the post.
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

/** One refused address refuses the name: which of them is connected to is chance. */
async function resolveAllowed(host: string, policy: UrlPolicy, resolve: Resolve): Promise<Addresses> {
  const [first, ...rest] = await resolve(host).catch(() => [])
  if (first === undefined) throw new OutboundFailure('the host name could not be resolved')
  const addresses: Addresses = [{ ...first }, ...rest]
  if (!addresses.every(({ address }) => isAddressAllowed(address, policy))) throw new OutboundFailure(ADDRESS_REFUSED)
  return addresses
}

function exchange(agent: Agent, { origin, path }: Target, request: OutboundRequest): Promise<OutboundResult> {
  const { deadlineMs = DEFAULT_DEADLINE_MS, maxResponseBytes = DEFAULT_RESPONSE_BYTES } = request
  const started = performance.now()

  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
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
      settle({ ok, status, body, truncated, excerpt, durationMs: Math.round(elapsed()) })
    }
    const fail = (error: string) => settle({ ok: false, status: null, error, durationMs: Math.round(elapsed()) })
    const abandon = (why: string) => connection?.abort(new Error(why))

    // Timers count from the last turn of the event loop and can fire early.
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
        // Throwing takes a request out of the queue and leaves the connection to the next one.
        if (settled) throw new Error('past its deadline')
        connection = controller
      },
      onResponseStart(_controller, code) {
        status = code
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
    agent.dispatch({ origin, path, method: 'POST', headers: request.headers, body: request.body }, handler)
  })
}
