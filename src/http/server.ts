import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import Router from '@koa/router'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import { ApiError, InternalError, Malformed, NotFound, Unavailable } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import { isStorageFailure } from '#runtime/handles.ts'
import type { PageRoute } from './page.ts'
import { errorBody, Pipeline, type PipelineDeps } from './pipeline.ts'
import { refuseUnreadable } from './unreadable.ts'

export const API_ROOT = '/api/v1'

export interface ServerOptions extends PipelineDeps {
  endpoints: readonly Endpoint[]
  pages: readonly PageRoute[]
  /** How many proxies in front may speak for their callers (X-Forwarded-*). */
  trustedProxies: number
  /** Certificate and key in PEM; undefined: plain HTTP. */
  tls: { cert: Buffer; key: Buffer } | undefined
  /** Hears how long each reply took; `endpoint` is an operation, or `page`. */
  measure(endpoint: string, status: number, seconds: number): void
}

/** The error envelope for whatever was thrown; the unexpected is logged whole and told as INTERNAL_ERROR. */
const tellError = (ctx: Context, thrown: unknown, { log }: ServerOptions): void => {
  const requestId = ctx.state.requestId as string
  let error: ApiError
  if (thrown instanceof ApiError) {
    error = thrown
  } else {
    log.error({ err: thrown, requestId, method: ctx.method, path: ctx.path }, 'request failed')
    error = isStorageFailure(thrown) ? Unavailable() : InternalError()
  }
  ctx.status = error.spec.status
  ctx.set(error.headers ?? {})
  ctx.set('Cache-Control', 'no-store')
  // A body that was not read to its end would be taken for the next request of this connection.
  if (error.spec.code === 'MALFORMED_REQUEST' && !ctx.req.readableEnded) ctx.set('Connection', 'close')
  ctx.type = 'application/json'
  ctx.body = JSON.stringify(errorBody(error, requestId))
}

const envelope = (options: ServerOptions) => async (ctx: Context, next: Next) => {
  const started = performance.now()
  const requestId = randomUUID()
  ctx.state.requestId = requestId
  ctx.set('X-Request-Id', requestId)
  ctx.set('X-Content-Type-Options', 'nosniff')
  try {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) throw NotFound()
  } catch (error) {
    tellError(ctx, error, options)
  }
  const ms = performance.now() - started
  options.measure((ctx.state.endpoint as string | undefined) ?? 'page', ctx.status, ms / 1000)
  options.log.info(
    {
      requestId,
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      ms: Math.round(ms * 10) / 10,
      caller: ctx.state.caller as string | undefined,
      ip: ctx.ip,
    },
    'request',
  )
}

const pageHandler = (page: PageRoute) => async (ctx: Context) => {
  const { status, headers, body } = await page.reply({
    params: ctx.params as Record<string, string>,
    query: new URLSearchParams(ctx.querystring),
    header: (name) => ctx.get(name) || undefined,
    peer: ctx.req.socket.remoteAddress ?? '',
  })
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
}

const TIMEOUTS = { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 120_000 }

/** What follows /api/v1/ up to the next slash, whatever its case; the empty string: a page. */
const areaOf = (path: string): string => {
  const under = `${API_ROOT}/`
  return path.slice(0, under.length).toLowerCase() === under
    ? (path.slice(under.length).split('/', 1)[0] ?? '').toLowerCase()
    : ''
}

/** A router looks through its routes one by one, so every area of the API has its own. @returns by path */
const routing = ({ endpoints, pages }: ServerOptions, pipeline: Pipeline) => {
  const routers = new Map<string, Router>()
  const routerOf = (path: string): Router => {
    const router = routers.get(areaOf(path)) ?? new Router()
    routers.set(areaOf(path), router)
    return router
  }
  for (const endpoint of endpoints) {
    const path = API_ROOT + endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    routerOf(path).register(path, [endpoint.method], (ctx: Context) => {
      ctx.state.endpoint = endpoint.id
      return pipeline.run(ctx, endpoint, ctx.params as Record<string, string>)
    })
  }
  for (const page of pages) routerOf(page.path).get(page.path, pageHandler(page))
  const areas = new Map([...routers].map(([area, router]) => [area, router.routes() as Middleware]))
  const nowhere: Middleware = (_, next) => next()
  return (path: string): Middleware => areas.get(areaOf(path)) ?? nowhere
}

/** The HTTP server over the declared endpoints and pages. Nothing else is reachable. */
export const buildServer = (options: ServerOptions): Server => {
  const app = new Koa({ proxy: options.trustedProxies > 0, maxIpsCount: options.trustedProxies })
  const route = routing(options, new Pipeline(options))
  app.use(envelope(options))
  app.use(async (ctx, next) => {
    try {
      decodeURIComponent(ctx.path)
    } catch {
      throw Malformed({ reason: 'The path is not encoded well.' })
    }
    await next()
  })
  app.use((ctx, next) => route(ctx.path)(ctx, next))
  // Koa's own words on errors go to the log, not to standard error.
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'http'))
  const answer = app.callback()
  const listener: RequestListener = (request, response) => void answer(request, response)
  const server = options.tls
    ? createTlsServer({ ...TIMEOUTS, ...options.tls, minVersion: 'TLSv1.2' }, listener)
    : createServer(TIMEOUTS, listener)
  refuseUnreadable(server, options.log)
  return server
}
