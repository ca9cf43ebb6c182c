import type { JobKind } from '#kernel/contract/module.ts'
import type { Outbound, OutboundGet, OutboundResult } from '#ports/outbound/port.ts'
import type { Tracing } from '#ports/tracing/port.ts'

const tenantOf = (payload: unknown): string | undefined => {
  const { tenantId } = payload as { tenantId?: unknown }
  return typeof tenantId === 'string' ? tenantId : undefined
}

/** Each run of a job is a span. */
export const tracedKinds = (tracing: Tracing, kinds: ReadonlyMap<string, JobKind>): ReadonlyMap<string, JobKind> =>
  new Map(
    Array.from(kinds, ([name, kind]) => {
      const handle: JobKind['handle'] = (context) => {
        const attributes = { 'institute.job': name, 'institute.tenant_id': tenantOf(context.payload) }
        return tracing.span(name, { kind: 'consumer', attributes }, () => kind.handle(context))
      }
      return [name, { ...kind, handle }]
    }),
  )

/** Each request that goes out is a span. It names the host alone: an address may be a secret. */
export const tracedOutbound = (tracing: Tracing, outbound: Outbound): Outbound => {
  const traced = (
    method: string,
    { url }: OutboundGet,
    send: () => Promise<OutboundResult>,
  ): Promise<OutboundResult> => {
    const attributes = { 'http.request.method': method, 'server.address': URL.parse(url)?.hostname }
    return tracing.span(method, { kind: 'client', attributes }, async (span) => {
      const result = await send()
      if (result.status !== null) span.set({ 'http.response.status_code': result.status })
      if (!result.ok) span.fail(result.status === null ? result.error : `HTTP ${result.status}`)
      return result
    })
  }
  return {
    post: (request) => traced('POST', request, () => outbound.post(request)),
    get: (request) => traced('GET', request, () => outbound.get(request)),
    close: () => outbound.close(),
  }
}
