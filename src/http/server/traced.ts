import type { Middleware } from 'koa'
import type { Tracing } from '#ports/tracing/port.ts'
import type { Exchange } from '#http/admission/admission.ts'

/**
 * Each request is a span, under the id of its endpoint. It has no address, whose path and query may hold secrets and
 * names.
 * @param isBehindProxy a proxy before the server says to which trace a request belongs; anybody else could say it too
 */
export const traced =
  (tracing: Tracing, isBehindProxy: boolean): Middleware =>
  (ctx, next) => {
    const attributes = { 'http.request.method': ctx.method }
    const parent = isBehindProxy ? ctx.get('traceparent') : undefined
    return tracing.span(ctx.method, { kind: 'server', attributes, parent }, async (span) => {
      await next()
      const { endpoint, requestId, tenantId } = ctx.state as Exchange
      const status = ctx.res.statusCode
      span.rename(endpoint)
      span.set({
        'http.response.status_code': status,
        'institute.endpoint': endpoint,
        'institute.request_id': requestId,
        'institute.tenant_id': tenantId,
      })
      if (status >= 500) span.fail(`HTTP ${status}`)
    })
  }
