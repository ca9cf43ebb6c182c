import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { ApiError, InternalError, Malformed, NotFound, Unavailable } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import { isStorageFailure } from '#runtime/handles.ts'
import { plainAddress } from '#kernel/network.ts'
import type { PageRoute } from '#kernel/page.ts'
import { cutUntaken, leaveUnread, type ConnectionSettings } from './connections.ts'
import { errorBody, JSON_NOT_STORED, Pipeline, type Exchange, type PipelineDeps } from './pipeline.ts'
import { send, type Reply } from './reply.ts'
import { turnRead } from './turns.ts'
import { refuseUnreadable } from './unreadable.ts'

export const API_ROOT = '/api/v1'

export interface ServerOptions extends PipelineDeps {
  endpoints: readonly Endpoint[]
  pages: readonly PageRoute[]
  /** How many proxies in front may speak for their callers (X-Forwarded-*). */
  trustedProxies: number
  /** Certificate and key in PEM; undefined: plain HTTP. */
  tls: { cert: Buffer; key: Buffer } | undefined
  connections: ConnectionSettings
  /** Hears how long each reply took; `endpoint` is an operation, or `page`. */
  measure(endpoint: string, status: number, seconds: number): void
}

/** The error envelope for whatever was thrown; the unexpected is logged whole and told as INTERNAL_ERROR. */
const refusal = (ctx: Context, requestId: string, thrown: unknown, { log }: ServerOptions): Reply => {
  let error: ApiError
  if (thrown instanceof ApiError) {
    error = thrown
  } else {
    log.error({ err: thrown, requestId, method: ctx.method, path: ctx.path }, 'request failed')
    error = isStorageFailure(thrown) ? Unavailable() : InternalError()
  }
  return {
    status: error.spec.status,
    headers: { ...JSON_NOT_STORED, ...error.headers },
    body: JSON.stringify(errorBody(error, requestId)),
  }
}

/** @throws MALFORMED_REQUEST for what HTTP itself asks of a request */
const checkHead = ({ path, req }: Context): void => {
  const { host, expect } = req.headers
  if (host === undefined && req.httpVersion !== '1.0') throw Malformed({ reason: 'The header Host is missing.' })
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw Malformed({ reason: 'Of what the header Expect can ask, only 100-continue is known.' })
  }
  try {
    decodeURIComponent(path)
  } catch {
    throw Malformed({ reason: 'The path is not encoded well.' })
  }
}

const exchangeOf = (ctx: Context): Exchange => ctx.state

/** Answers every request: with what its route makes of it, or with an error. */
const answering =
  (options: ServerOptions, route: (ctx: Context) => Promise<unknown>): Middleware =>
  async (ctx) => {
    const started = performance.now()
    const requestId = randomUUID()
    const exchange: Exchange = {
      requestId,
      endpoint: 'page',
      caller: undefined,
      headers: { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' },
      reply: undefined,
    }
    ctx.state = exchange
    // What a proxy forwards may be anything.
    ctx.request.ip = plainAddress(ctx.ip) ?? plainAddress(ctx.req.socket.remoteAddress ?? '') ?? ''
    let reply: Reply
    try {
      await turnRead()
      checkHead(ctx)
      await route(ctx)
      if (!exchange.reply) throw NotFound()
      reply = exchange.reply
    } catch (error) {
      reply = refusal(ctx, requestId, error, options)
    }
    // In one go, past what Koa would make of it.
    ctx.respond = false
    if (leaveUnread(ctx.req, options.connections)) exchange.headers.Connection = 'close'
    send(ctx.res, reply, exchange.headers)
    cutUntaken(ctx.res, options.connections)
    const ms = performance.now() - started
    options.measure(exchange.endpoint, reply.status, ms / 1000)
    options.log.info(
      {
        requestId,
        method: ctx.method,
        path: ctx.path,
        status: reply.status,
        ms: Math.round(ms * 10) / 10,
        caller: exchange.caller,
        ip: ctx.ip,
      },
      'request',
    )
  }

const pageHandler = (page: PageRoute) => async (ctx: Context) => {
  exchangeOf(ctx).reply = await page.reply({
    params: ctx.params as Record<string, string>,
    query: new URLSearchParams(ctx.querystring),
    header: (name) => ctx.get(name) || undefined,
    peer: ctx.req.socket.remoteAddress ?? '',
    httpVersion: ctx.req.httpVersion,
  })
}

const TIMEOUTS = { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 120_000 }
/** A missing Host is refused in the envelope, by checkHead. */
const HTTP = { ...TIMEOUTS, requireHostHeader: false }

/**
 * Paths of the same method, first word and depth below /api/v1/, whatever its case; the empty string: a page. A router
 * looks through its routes one by one, so each of these families has its own.
 */
const familyOf = (method: string, path: string): string => {
  const under = `${API_ROOT}/`
  if (path.slice(0, under.length).toLowerCase() !== under) return ''
  const words = path.slice(under.length).split('/')
  // A slash at the end is as good as none.
  const depth = words.at(-1) === '' ? words.length - 1 : words.length
  return `${method === 'HEAD' ? 'GET' : method} ${(words[0] as string).toLowerCase()} ${depth}`
}

const nowhere = async (): Promise<void> => {}

/** The way of a request to its endpoint or page. What it leads to leaves its reply in the exchange. */
const routing = ({ endpoints, pages }: ServerOptions, pipeline: Pipeline) => {
  const routers = new Map<string, Router>()
  const routerOf = (method: string, path: string): Router => {
    const family = familyOf(method, path)
    const router = routers.get(family) ?? new Router()
    routers.set(family, router)
    return router
  }
  for (const endpoint of endpoints) {
    const path = API_ROOT + endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    routerOf(endpoint.method, path).register(path, [endpoint.method], async (ctx: Context) => {
      const exchange = exchangeOf(ctx)
      exchange.endpoint = endpoint.id
      exchange.reply = await pipeline.run(ctx, exchange, endpoint)
    })
  }
  for (const page of pages) routerOf('GET', page.path).get(page.path, pageHandler(page))
  const families = new Map([...routers].map(([family, router]) => [family, router.routes() as Middleware]))
  return async (ctx: Context): Promise<void> => families.get(familyOf(ctx.method, ctx.path))?.(ctx, nowhere)
}

/** The HTTP server over the declared endpoints and pages. Nothing else is reachable. */
export const buildServer = (options: ServerOptions): Server => {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies })
  app.use(answering(options, routing(options, new Pipeline(options))))
  // Koa's own words on errors go to the log, not to standard error.
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'http'))
  const answer = app.callback()
  const listener: RequestListener = (request, response) => void answer(request, response)
  const server = options.tls
    ? createTlsServer({ ...HTTP, ...options.tls, minVersion: 'TLSv1.2' }, listener)
    : createServer(HTTP, listener)
  // Nobody is told to go on before it is known who asks, and for what.
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  refuseUnreadable(server, options.log)
  return server
}
