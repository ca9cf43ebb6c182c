import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import type { Locale } from '#kernel/actor.ts'
import { ApiError, InternalError, Malformed, NotFound, Unavailable } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { Content } from '#kernel/media.ts'
import { isStorageFailure } from '#runtime/handles.ts'
import { plainAddress } from '#kernel/network.ts'
import { closeSlowReader, drainOrClose, type ConnectionSettings } from './connections.ts'
import { contentReply } from './content.ts'
import type { Exchange } from './admission.ts'
import { errorBody, JSON_NO_STORE, Pipeline, type PipelineDeps } from './pipeline.ts'
import { send, type Reply } from './reply.ts'
import { afterPollPhase } from './event-loop.ts'
import { refuseUnreadable } from './unreadable.ts'

export const API_ROOT = '/api/v1'

/** The first is for whoever asks for none. */
const LANGUAGES = ['en', 'ar', 'he'] as const satisfies readonly Locale[]

export interface ServerOptions extends PipelineDeps {
  endpoints: readonly Endpoint[]
  /** What people see who come to an address at which there is nothing, or nothing any more. */
  errorPage(status: number, language: Locale): Content
  /** How many proxies in front may speak for their callers (X-Forwarded-*). */
  trustedProxies: number
  /** Certificate and key in PEM; undefined: plain HTTP. */
  tls: { cert: Buffer; key: Buffer } | undefined
  connections: ConnectionSettings
  /** Hears how long each reply took; `endpoint` is an operation, or `none`. */
  measure(endpoint: string, status: number, seconds: number): void
}

/** People open addresses in a browser, which asks for HTML before all else; programs ask for JSON, or for anything. */
const wantsHtml = (ctx: Context): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  !ctx.path.toLowerCase().startsWith('/api/') &&
  ctx.accepts('json', 'html') === 'html'

/** The refusal that whatever was thrown comes to; the unexpected is logged whole and told as INTERNAL_ERROR. */
const errorOf = (ctx: Context, requestId: string, thrown: unknown, { log }: ServerOptions): ApiError => {
  if (thrown instanceof ApiError) return thrown
  log.error({ err: thrown, requestId, method: ctx.method, path: ctx.path }, 'request failed')
  return isStorageFailure(thrown) ? Unavailable() : InternalError()
}

/** The error envelope, or a page in the language of whoever looks at it. */
const refusal = async (ctx: Context, requestId: string, thrown: unknown, options: ServerOptions): Promise<Reply> => {
  const error = errorOf(ctx, requestId, thrown, options)
  if (wantsHtml(ctx)) {
    const language = ctx.acceptsLanguages(...LANGUAGES)
    const page = options.errorPage(error.spec.status, language === false ? LANGUAGES[0] : (language as Locale))
    const request = { method: ctx.method, header: () => undefined }
    const reply = await contentReply(page, error.spec.status, request)
    return { ...reply, headers: { ...reply.headers, ...error.headers, Vary: 'Accept, Accept-Language' } }
  }
  return {
    status: error.spec.status,
    headers: { ...JSON_NO_STORE, ...error.headers },
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
const answerEvery =
  (options: ServerOptions, route: (ctx: Context) => Promise<unknown>): Middleware =>
  async (ctx) => {
    const started = performance.now()
    const requestId = randomUUID()
    const exchange: Exchange = {
      requestId,
      endpoint: 'none',
      caller: undefined,
      headers: { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' },
      reply: undefined,
    }
    ctx.state = exchange
    // What a proxy forwards may be anything.
    ctx.request.ip = plainAddress(ctx.ip) ?? plainAddress(ctx.req.socket.remoteAddress ?? '') ?? ''
    let reply: Reply
    try {
      await afterPollPhase()
      checkHead(ctx)
      await route(ctx)
      if (!exchange.reply) throw NotFound()
      reply = exchange.reply
    } catch (error) {
      reply = await refusal(ctx, requestId, error, options)
    }
    // Past what Koa would make of it.
    ctx.respond = false
    if (drainOrClose(ctx.req, options.connections)) exchange.headers.Connection = 'close'
    await send(ctx.res, reply, { common: exchange.headers, connections: options.connections })
    closeSlowReader(ctx.res, options.connections)
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

// How long a body may take depends on what it is: whoever reads it sees to that.
const TIMEOUTS = { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 0 }
/** A missing Host is refused in the envelope, by checkHead. */
const HTTP = { ...TIMEOUTS, requireHostHeader: false }

/**
 * Paths of the same method, first word and depth below /api/v1/, whatever its case; the empty string: at the server's root.
 * A router looks through its routes one by one, so each of these families has its own.
 */
const routeFamilyOf = (method: string, path: string): string => {
  const under = `${API_ROOT}/`
  if (path.slice(0, under.length).toLowerCase() !== under) return ''
  const words = path.slice(under.length).split('/')
  // A slash at the end is as good as none.
  const depth = words.at(-1) === '' ? words.length - 1 : words.length
  return `${method === 'HEAD' ? 'GET' : method} ${(words[0] as string).toLowerCase()} ${depth}`
}

const doNothing = async (): Promise<void> => {}

/** The address of an endpoint as the router writes it. */
const addressOf = ({ path }: Endpoint): string =>
  (path.startsWith('//') ? path.slice(1) : API_ROOT + path)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .replaceAll(/\{(\w+)\*\}/g, '*$1')

/** The way of a request to its endpoint. What it leads to leaves its reply in the exchange. */
const routesTo = ({ endpoints }: ServerOptions, pipeline: Pipeline) => {
  const routers = new Map<string, Router>()
  const register = (method: string, address: string, handle: (ctx: Context) => Promise<void>): void => {
    const family = routeFamilyOf(method, address)
    const router = routers.get(family) ?? new Router()
    routers.set(family, router)
    router.register(address, [method], handle)
  }
  for (const endpoint of endpoints) {
    register(endpoint.method, addressOf(endpoint), async (ctx) => {
      const exchange = exchangeOf(ctx)
      exchange.endpoint = endpoint.id
      exchange.reply = await pipeline.run(ctx, exchange, endpoint)
    })
  }
  const forOtherOrigins = endpoints.filter(({ access }) => access === 'publishable')
  for (const [address, group] of Map.groupBy(forOtherOrigins, addressOf)) {
    register('OPTIONS', address, async (ctx) => {
      const exchange = exchangeOf(ctx)
      exchange.endpoint = 'preflight'
      exchange.reply = await pipeline.preflight(ctx, exchange, group)
    })
  }
  const families = new Map([...routers].map(([family, router]) => [family, router.routes() as Middleware]))
  return async (ctx: Context): Promise<void> => families.get(routeFamilyOf(ctx.method, ctx.path))?.(ctx, doNothing)
}

/** The HTTP server over the declared endpoints. Nothing else is reachable. */
export const buildServer = (options: ServerOptions): Server => {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies })
  app.use(answerEvery(options, routesTo(options, new Pipeline(options))))
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
