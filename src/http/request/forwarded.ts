import type { Context } from 'koa'
import type { Logger } from 'pino'

/** Programs on the machine itself ask these, past the proxy. */
const PAST_THE_PROXY = new Set(['health.live', 'health.ready', 'metrics.read', 'none'])

/**
 * Watches for a proxy that is trusted and does not say for whom it speaks: then a client that writes X-Forwarded-For
 * itself is taken for any address. Tells it once. @returns what to call after each request, with the id of its endpoint
 */
export const proxyWatch = (trustedProxies: number, log: Pick<Logger, 'warn'>) => {
  let isTold = trustedProxies === 0
  return (ctx: Context, endpoint: string): void => {
    if (isTold || PAST_THE_PROXY.has(endpoint)) return
    const named = ctx
      .get('X-Forwarded-For')
      .split(',')
      .filter((one) => one.trim() !== '').length
    if (named >= trustedProxies) return
    isTold = true
    log.warn(
      { trustedProxies, named },
      'INSTITUTE_TRUST_PROXY trusts more proxies than have named their caller in X-Forwarded-For: whoever sends that header is taken for any address. Let the proxy write it (nginx: proxy_set_header X-Forwarded-For $remote_addr; HAProxy: http-request set-header X-Forwarded-For %[src]), or set INSTITUTE_TRUST_PROXY=off; institute doctor tries it.',
    )
  }
}
