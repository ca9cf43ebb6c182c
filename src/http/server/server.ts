import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { FALLBACK_LOCALE, LOCALES, type Locale } from '#shared/locale.ts'
import { NotFound, type ErrorSpec } from '#kernel/values/errors.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Content } from '#kernel/values/media.ts'
import { once } from '#kernel/basics/once.ts'
import type { Tracing } from '#ports/tracing/port.ts'
import { checkHead } from '#http/request/check-head.ts'
import { proxyWatch } from '#http/request/forwarded.ts'
import { clientAddress } from '#http/request/client-address.ts'
import { closeSlowReader, drainOrClose, type ConnectionSettings } from '#http/replies/connections.ts'
import { contentReply } from '#http/bodies/content.ts'
import type { Exchange } from '#http/admission/admission.ts'
import { errorBody, oauthErrorBody, oauthErrorOf } from '#http/replies/error-body.ts'
import { McpDoor, MCP_METHODS, type McpDeps } from '#http/mcp/door.ts'
import { Pipeline, type PipelineDeps } from '#http/pipeline.ts'
import { JSON_NO_STORE, send, type Reply } from '#http/replies/reply.ts'
import { afterPollPhase } from './event-loop.ts'
import { RunningRequests } from '#http/request/running-requests.ts'
import { apiErrorOf } from '#http/replies/api-error-of.ts'
import { traced } from './traced.ts'
import { refuseUnreadable } from '#http/bodies/unreadable.ts'

export const API_ROOT = '/api/v1'

/** Certificate with its chain, and key, in PEM. */
interface KeyPair {
  cert: Buffer | string
  key: Buffer | string
}

export interface ServerOptions extends PipelineDeps {
  endpoints: readonly Endpoint[]
  /** What //mcp needs besides. */
  mcp: Pick<McpDeps, 'authenticators' | 'baseUrl' | 'version'>
  /**
   * The page for people whose browser gets a refusal, such as for an address that does not exist or no longer exists.
   * @param host the name in the address, as the client sent it
   */
  errorPage(refusal: Pick<ErrorSpec, 'name' | 'status'>, language: Locale, host: string): Promise<Content>
  /** The number of trusted proxies in front of the server: their X-Forwarded-* headers are used. */
  trustedProxies: number
  /** Certificate and key in PEM format; undefined: plain HTTP. */
  tls: KeyPair | undefined
  connections: ConnectionSettings
  /**
   * Where a page is to be opened instead that was asked for over plain HTTP; undefined: here.
   * @param host as the client sent it, without a port
   */
  elsewhere?(asked: { host: string; path: string; url: string }): string | undefined
  /** Called with the duration of each request; `endpoint` is the id of an endpoint, or `none`. */
  measure(endpoint: string, status: number, seconds: number): void
  /** Default: no request is traced. */
  tracing?: Tracing
}

const exchangeOf = (ctx: Context): Exchange => ctx.state

/**
 * Whether the client is a browser that shows a page, of an address or of a form whose answer is one. Browsers prefer
 * HTML; programs ask for JSON, or for anything.
 */
const wantsHtml = (ctx: Context): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD' || exchangeOf(ctx).givesContent) &&
  !ctx.path.toLowerCase().startsWith('/api/') &&
  ctx.accepts('json', 'html') === 'html'

/** The reply that leads to HTTPS; undefined: the request is answered here. */
const ledAway = (ctx: Context, { elsewhere }: ServerOptions): Reply | undefined => {
  if (elsewhere === undefined || ctx.secure || !wantsHtml(ctx)) return undefined
  const location = elsewhere({ host: ctx.hostname, path: ctx.path.toLowerCase(), url: ctx.url })
  // For the moment: whoever runs the server may choose otherwise tomorrow.
  return location === undefined
    ? undefined
    : { status: 307, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

/** Makes the error reply: the JSON envelope, or for a browser a page in the user's language. */
const refusal = async (
  ctx: Context,
  { requestId, path }: { requestId: string; path: string },
  thrown: unknown,
  options: ServerOptions,
): Promise<Reply> => {
  const error = apiErrorOf(thrown, options.log, { requestId, method: ctx.method, path })
  if (wantsHtml(ctx)) {
    const language = ctx.acceptsLanguages(FALLBACK_LOCALE, ...LOCALES)
    const spoken = language === false ? FALLBACK_LOCALE : (language as Locale)
    const page = await options.errorPage(error.spec, spoken, ctx.hostname)
    const request = { method: ctx.method, header: () => undefined, accepts: () => false }
    const reply = await contentReply(page, error.spec.status, request)
    return { ...reply, headers: { ...reply.headers, ...error.headers, Vary: 'Accept, Accept-Language' } }
  }
  const headers = { ...JSON_NO_STORE, ...error.headers }
  const { refusesAsOauth: endpoint } = exchangeOf(ctx)
  if (endpoint) {
    const { status } = oauthErrorOf(endpoint, error.spec)
    return { status, headers, body: JSON.stringify(oauthErrorBody(endpoint, error)) }
  }
  return { status: error.spec.status, headers, body: JSON.stringify(errorBody(error, requestId)) }
}

/** The media types of the parts of a page. One page makes a browser ask for dozens of them. */
const PART_OF_PAGE = /^(?:image|font)\/|^text\/(?:css|javascript)\b/

/** The level at which a request is logged. What a browser has already (304) was logged when it got it. */
const logLevelOf = ({ status, headers }: Reply): 'info' | 'debug' =>
  status === 304 || (status < 300 && PART_OF_PAGE.test(headers['Content-Type'] ?? '')) ? 'debug' : 'info'

/** The path of an endpoint in the syntax of the router. */
const addressOf = ({ path }: Endpoint): string =>
  (path.startsWith('//') ? path.slice(1) : API_ROOT + path)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .replaceAll(/\{(\w+)\*\}/g, '*$1')

/** The path of a request as the log has it, whatever its method: without what is a secret in the path of an endpoint. */
const loggedPath = (endpoints: readonly Endpoint[]): ((path: string) => string) => {
  const secret = endpoints.filter(({ secretPath }) => secretPath)
  const before = secret.map((endpoint) => addressOf(endpoint).replace(/:.*/, ''))
  return (path) => {
    const prefix = before.find((start) => path.toLowerCase().startsWith(start))
    return prefix === undefined ? path : `${prefix}…`
  }
}

/** The outer middleware: it answers every request, with the reply of its route or with an error. */
const answerEvery =
  (
    options: ServerOptions,
    running: RunningRequests,
    route: (ctx: Context) => Promise<unknown>,
    pathOf = loggedPath(options.endpoints),
    watchProxy = proxyWatch(options.trustedProxies, options.log),
  ): Middleware =>
  async (ctx) => {
    const started = performance.now()
    const requestId = randomUUID()
    const exchange: Exchange = {
      requestId,
      endpoint: 'none',
      givesContent: false,
      refusesAsOauth: undefined,
      caller: undefined,
      tenantId: undefined,
      headers: { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' },
      reply: undefined,
    }
    ctx.state = exchange
    ctx.request.ip = clientAddress(ctx.ip, ctx.req.socket.remoteAddress)
    let reply: Reply
    try {
      await afterPollPhase()
      checkHead(ctx)
      const away = ledAway(ctx, options)
      if (!away) await route(ctx)
      const answer = away ?? exchange.reply
      if (!answer) throw NotFound()
      reply = answer
    } catch (error) {
      reply = await refusal(ctx, { requestId, path: pathOf(ctx.path) }, error, options)
    }
    // Bypass Koa's own response handling.
    ctx.respond = false
    if (drainOrClose(ctx.req, options.connections) || running.isStopping) exchange.headers.Connection = 'close'
    await send(ctx.res, reply, { common: exchange.headers, connections: options.connections })
    closeSlowReader(ctx.res, options.connections)
    watchProxy(ctx, exchange.endpoint)
    const ms = performance.now() - started
    options.measure(exchange.endpoint, reply.status, ms / 1000)
    options.log[logLevelOf(reply)](
      {
        requestId,
        method: ctx.method,
        path: pathOf(ctx.path),
        status: reply.status,
        ms: Math.round(ms * 10) / 10,
        caller: exchange.caller,
        tenantId: exchange.tenantId,
        ip: ctx.ip,
      },
      'request',
    )
  }

// No requestTimeout: the time for a body depends on its kind, and the code that reads it enforces it.
const TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 0 }
/** checkHead refuses a missing Host header with the error envelope. */
const HTTP = { ...TIMEOUTS, requireHostHeader: false }

/**
 * How long a connection without a request is kept. Proxies keep theirs for one minute to two (nginx, Traefik, Caddy): one
 * that ends here first may be used at that moment, and its request would be answered with 502.
 */
const idleMillis = (trustedProxies: number): number => (trustedProxies > 0 ? 130_000 : 65_000)

/**
 * Groups routes by method, first word and number of words below /api/v1/, ignoring case; the empty string: at the root
 * of the server. A router tries its routes one by one, so each group has a router of its own.
 */
const routeFamilyOf = (method: string, path: string): string => {
  const under = `${API_ROOT}/`
  if (path.slice(0, under.length).toLowerCase() !== under || path.length === under.length) return ''
  const words = path.slice(under.length).split('/')
  // A trailing slash makes no difference.
  const depth = words.at(-1) === '' ? words.length - 1 : words.length
  return `${method === 'HEAD' ? 'GET' : method} ${(words[0] as string).toLowerCase()} ${depth}`
}

const doNothing = async (): Promise<void> => {}

interface Route {
  method: string
  address: string
  handle: (ctx: Context) => Promise<void>
}

/** Compiles the routes of a family when its first request comes: the program starts without them. */
const routerOf = (routes: readonly Route[]): (() => Middleware) =>
  once(() => {
    const router = new Router()
    for (const { method, address, handle } of routes) router.register(address, [method], handle)
    return router.routes() as Middleware
  })

/** Makes the function that runs the endpoint of a request. The reply is put into the exchange. */
const routesTo = ({ endpoints, mcp, vault, runtime, log }: ServerOptions, pipeline: Pipeline) => {
  const routes: Route[] = []
  const register = (method: string, address: string, handle: Route['handle']): void =>
    void routes.push({ method, address, handle })
  // Before the endpoints: some of them answer at every address of the root that no other has.
  const door = new McpDoor({ ...mcp, pipeline, endpoints, vault, clock: runtime.clock, log })
  for (const method of MCP_METHODS) {
    register(method, '/mcp', async (ctx) => {
      const exchange = exchangeOf(ctx)
      exchange.endpoint = 'mcp'
      exchange.reply = await door.answer(ctx, exchange)
    })
  }
  for (const endpoint of endpoints) {
    register(endpoint.method, addressOf(endpoint), async (ctx) => {
      const exchange = exchangeOf(ctx)
      exchange.endpoint = endpoint.id
      exchange.givesContent = typeof endpoint.gives === 'object'
      exchange.refusesAsOauth = endpoint.oauthErrors && endpoint
      exchange.reply = await pipeline.run(ctx, exchange, endpoint)
    })
  }
  const forOtherOrigins = endpoints.filter(({ access, anyOrigin }) => access === 'publishable' || anyOrigin)
  for (const [address, group] of Map.groupBy(forOtherOrigins, addressOf)) {
    register('OPTIONS', address, async (ctx) => {
      const exchange = exchangeOf(ctx)
      exchange.endpoint = 'preflight'
      exchange.reply = await pipeline.preflight(ctx, exchange, group)
    })
  }
  const families = new Map(
    [...Map.groupBy(routes, ({ method, address }) => routeFamilyOf(method, address))].map(
      ([family, group]) => [family, routerOf(group)] as const,
    ),
  )
  return async (ctx: Context): Promise<void> => families.get(routeFamilyOf(ctx.method, ctx.path))?.()(ctx, doNothing)
}

export interface StoppableServer {
  server: Server
  /** Another server of the same endpoints, which does not listen yet. @param pair undefined: plain HTTP */
  another(pair: KeyPair | undefined): Server
  /** See RunningRequests. */
  stop(deadlineMillis: number): Promise<void>
}

/** Builds the HTTP server for the declared endpoints. Nothing else is reachable. */
export const buildServer = (options: ServerOptions): StoppableServer => {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies })
  const running = new RunningRequests()
  if (options.tracing) app.use(traced(options.tracing, options.trustedProxies > 0))
  app.use(answerEvery(options, running, routesTo(options, new Pipeline(options))))
  // Koa's own error messages go to the log instead of standard error.
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'http'))
  const listener = running.listener(app.callback())
  const http = { ...HTTP, keepAliveTimeout: idleMillis(options.trustedProxies) }
  const servers = new Set<Server>()
  const another = (pair: KeyPair | undefined): Server => {
    const server = pair
      ? createTlsServer({ ...http, ...pair, minVersion: 'TLSv1.2' }, listener)
      : createServer(http, listener)
    // Without these listeners, Node would send 100 Continue before the credential and the endpoint are checked.
    server.on('checkContinue', listener)
    server.on('checkExpectation', listener)
    refuseUnreadable(server, options.log)
    servers.add(server)
    server.once('close', () => servers.delete(server))
    return server
  }
  return { server: another(options.tls), another, stop: (deadlineMillis) => running.stop(servers, deadlineMillis) }
}
