import type { Context } from 'koa'
import type { Caller } from '#kernel/actor.ts'
import type { Authenticator, CredentialLookup } from '#kernel/authenticator.ts'
import type { Endpoint, RequestInfo } from '#kernel/endpoint.ts'
import { ApiError, KeyRequired, Unauthorized } from '#kernel/errors.ts'
import { networkOf } from '#kernel/network.ts'
import type { Reach } from '#kernel/permissions.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import type { AuditContext } from '#runtime/audit-context.ts'
import type { Runtime } from '#runtime/transaction.ts'
import { bearerOf, checkCaller } from './access.ts'
import { countCaller, countRequest, type LimitSettings } from './limits.ts'
import type { Reply } from './reply.ts'
import { ContextInfo } from './request-info.ts'

export interface AdmissionDeps {
  runtime: Runtime
  limits: RateLimits
  limitSettings: LimitSettings
  authenticators: readonly Authenticator[]
}

/** What is known of a request, whatever comes of it. */
export interface Exchange {
  readonly requestId: string
  /** The operation; `none`: there is none at this address. */
  endpoint: string
  caller: string | undefined
  /** Of the reply. */
  readonly headers: Reply['headers']
  reply: Reply | undefined
}

/** What is known once the credential, the limits and the permission were looked at. */
export interface AdmittedRequest extends CallerReach {
  /** By which the caller is looked at again; undefined: none was needed. */
  credential: string | undefined
  auditContext: AuditContext
  request: RequestInfo
}

/** Who calls and what they reach, as far as is known now: it can end while the request is under way. */
export interface CallerReach {
  caller: Caller | null
  reach: Reach
}

/**
 * Who is let in: the credential, the limits, the institute, the permission, the flag and the presence of an
 * Idempotency-Key, in this order.
 */
export class Admission {
  readonly #deps: AdmissionDeps

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
  }

  /** @throws what refuses a request before its body is read */
  async admit(ctx: Context, exchange: Exchange, endpoint: Endpoint): Promise<AdmittedRequest> {
    const auditContext: AuditContext = {
      actor: { type: 'public', keyId: null },
      channel: 'web',
      action: endpoint.id,
      requestId: exchange.requestId,
      ip: ctx.ip,
    }
    const request = new ContextInfo(ctx, exchange.requestId)
    if (endpoint.access === 'anyone') {
      if (!endpoint.unlimited) await this.countAnonymous(ctx, exchange)
      if (endpoint.closed) throw endpoint.closed()
      return { caller: null, reach: 'all', credential: undefined, auditContext, request }
    }
    const { caller, credential } = await this.#authenticate(ctx, exchange)
    exchange.caller = caller.id
    const { network } = request
    Object.assign(exchange.headers, await countCaller(this.#deps.limits, endpoint, { caller, network }))
    const reach = checkCaller(endpoint, caller, request)
    if (endpoint.closed) throw endpoint.closed()
    if (endpoint.method !== 'GET' && caller.actor.type === 'api_key' && !ctx.get('idempotency-key')) throw KeyRequired()
    auditContext.actor = caller.actor
    auditContext.channel = caller.channel
    return { caller, reach, credential, auditContext, request }
  }

  async countAnonymous({ ip }: Context, { headers }: Exchange): Promise<void> {
    const { limits, limitSettings } = this.#deps
    Object.assign(headers, await countRequest(limits, `ip:${networkOf(ip)}`, limitSettings.anonymousPerMinute))
  }

  async #authenticate(ctx: Context, exchange: Exchange): Promise<{ caller: Caller; credential: string }> {
    try {
      const credential = bearerOf(ctx.get('authorization'))
      const { read, readForChange } = this.#deps.runtime.database
      const where = { db: ctx.method === 'GET' ? read : readForChange, inTransaction: false }
      return { caller: await this.#callerBy(credential, where), credential }
    } catch (error) {
      if (error instanceof ApiError && error.spec.status === 401) await this.countAnonymous(ctx, exchange)
      throw error
    }
  }

  /** @throws UNAUTHORIZED, ACCOUNT_DISABLED */
  async #callerBy(credential: string, where: CredentialLookup): Promise<Caller> {
    const { authenticators, runtime } = this.#deps
    const authenticator = authenticators.find((one) => one.recognises(credential))
    const caller = await authenticator?.authenticate(credential, runtime.clock.now(), where)
    if (!caller) throw Unauthorized()
    return caller
  }

  /**
   * Who calls and what they reach as the change sees it. A body may take its time: since the request was let in, the
   * session, the key, the membership or the permission may have ended, and then nothing is done.
   * @param db the change's own; default: what is committed
   * @throws what refuses a request on its way in
   */
  async reauthorize(endpoint: Endpoint, { credential, request }: AdmittedRequest, db?: SystemDb): Promise<CallerReach> {
    if (credential === undefined) return { caller: null, reach: 'all' }
    const where = db
      ? { db, inTransaction: true }
      : { db: this.#deps.runtime.database.readForChange, inTransaction: false }
    const caller = await this.#callerBy(credential, where)
    return { caller, reach: checkCaller(endpoint, caller, request) }
  }
}
