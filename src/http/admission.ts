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
import { countAnyone, countCaller, countRequest, type LimitSettings } from './limits.ts'
import type { Reply } from './reply.ts'
import { ContextInfo } from './request-info.ts'

export interface AdmissionDeps {
  runtime: Runtime
  limits: RateLimits
  limitSettings: LimitSettings
  authenticators: readonly Authenticator[]
}

/** The state of one request, from its arrival to its reply. */
export interface Exchange {
  readonly requestId: string
  /** The id of the endpoint; `none`: there is none at this address. */
  endpoint: string
  /** Whether the endpoint replies with something else than JSON, such as a page. */
  givesContent: boolean
  /** The endpoint, when its refusals have the form of OAuth. */
  refusesAsOauth: Endpoint | undefined
  caller: string | undefined
  /** Headers of the reply. */
  readonly headers: Reply['headers']
  reply: Reply | undefined
}

/** A request that has passed the checks of credential, rate limits and permission. */
export interface AdmittedRequest extends CallerReach {
  /** Used to authenticate the caller again; undefined: the endpoint needs no credential. */
  credential: string | undefined
  auditContext: AuditContext
  request: RequestInfo
}

/** The caller and what they may reach, as last checked. Both can change while the request runs. */
export interface CallerReach {
  caller: Caller | null
  reach: Reach
}

/**
 * Decides which requests are admitted. It checks the credential, the rate limits, the institute, the permission, the
 * feature flags and the presence of an Idempotency-Key, in this order.
 */
export class Admission {
  readonly #deps: AdmissionDeps

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
  }

  /** @throws the refusal, before the body is read */
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
      if (!endpoint.unlimited) {
        const { limits, limitSettings } = this.#deps
        const counted = { network: request.network, perMinute: limitSettings.anonymousPerMinute }
        Object.assign(exchange.headers, await countAnyone(limits, endpoint, counted))
      }
      if (endpoint.closed) throw endpoint.closed()
      return { caller: null, reach: 'all', credential: undefined, auditContext, request }
    }
    const { caller, credential } = await this.#authenticate(ctx, exchange)
    exchange.caller = caller.id
    const { network } = request
    Object.assign(exchange.headers, await countCaller(this.#deps.limits, endpoint, { caller, network }))
    const reach = checkCaller(endpoint, caller, { request, now: this.#deps.runtime.clock.now() })
    if (endpoint.closed) throw endpoint.closed()
    if (endpoint.method !== 'GET' && caller.actor.type === 'api_key' && !ctx.get('idempotency-key')) throw KeyRequired()
    auditContext.actor = caller.actor
    auditContext.channel = caller.channel
    return { caller, reach, credential, auditContext, request }
  }

  /** Counts a request without a valid credential against the limit of its network. @throws RATE_LIMITED */
  async countAnonymous({ ip }: Context, { headers }: Exchange): Promise<void> {
    const { limits, limitSettings } = this.#deps
    Object.assign(headers, await countRequest(limits, `ip:${networkOf(ip)}`, limitSettings.anonymousPerMinute))
  }

  async #authenticate(ctx: Context, exchange: Exchange): Promise<{ caller: Caller; credential: string }> {
    try {
      const credential = bearerOf(ctx.get('authorization'))
      const { read, readForChange } = this.#deps.runtime.database
      const where = { db: ctx.method === 'GET' ? read : readForChange, inTransaction: false, locksAccount: false }
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
   * Checks the caller again inside the change: a body may take long to arrive, and meanwhile the session, the key, the
   * membership or the permission may have ended. Then the change must not happen. A change of the caller's own account
   * decides by that account, so it locks it first.
   * @param db the transaction of the change; default: committed rows
   * @throws the same refusals as `admit`
   */
  async reauthorize(endpoint: Endpoint, { credential, request }: AdmittedRequest, db?: SystemDb): Promise<CallerReach> {
    if (credential === undefined) return { caller: null, reach: 'all' }
    const where = db
      ? { db, inTransaction: true, locksAccount: endpoint.ownAccount }
      : { db: this.#deps.runtime.database.readForChange, inTransaction: false, locksAccount: false }
    const caller = await this.#callerBy(credential, where)
    return { caller, reach: checkCaller(endpoint, caller, { request, now: this.#deps.runtime.clock.now() }) }
  }
}
