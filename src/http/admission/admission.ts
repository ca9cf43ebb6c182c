import type { Context } from 'koa'
import type { Caller } from '#kernel/who/actor.ts'
import type { Authenticator, CredentialLookup } from '#kernel/contract/authenticator.ts'
import type { Endpoint, RequestInfo } from '#kernel/contract/endpoint.ts'
import { ApiError, KeyRequired, Unauthorized } from '#kernel/values/errors.ts'
import { networkOf } from '#kernel/basics/network.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import type { AuditContext } from '#runtime/change/audit-context.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import { bearerOf, checkCaller } from './access.ts'
import { countAnyone, countCaller, countOwnOf, countRequest, type LimitSettings } from './limits.ts'
import type { Reply } from '#http/replies/reply.ts'
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
  /** The institute of the caller; undefined: the caller has none, or is not known. */
  tenantId: string | undefined
  /** Headers of the reply. */
  readonly headers: Reply['headers']
  reply: Reply | undefined
}

/** An address at which callers come in: whose credentials are good there, and what it asks of every caller. */
export interface Door {
  authenticators: readonly Authenticator[]
  /** What callers need besides that of the endpoint they call; undefined: nothing. */
  entry: Endpoint | undefined
}

/** A caller who has come in, with the credential by which they are authenticated again. */
export interface Entrant {
  caller: Caller
  credential: string
  door: Door
}

/** A request that has passed the checks of credential, rate limits and permission. */
export interface AdmittedRequest extends CallerReach {
  /** Used to authenticate the caller again; undefined: the endpoint needs no credential. */
  entrant: Entrant | undefined
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
  /** The API's own. */
  readonly #door: Door

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
    this.#door = { authenticators: deps.authenticators, entry: undefined }
  }

  /** @throws the refusal, before the body is read */
  async admit(ctx: Context, exchange: Exchange, endpoint: Endpoint): Promise<AdmittedRequest> {
    const request = new ContextInfo(ctx, exchange.requestId)
    if (endpoint.access === 'anyone') {
      if (!endpoint.unlimited) {
        const { limits, limitSettings } = this.#deps
        const counted = { network: request.network, perMinute: limitSettings.anonymousPerMinute }
        Object.assign(exchange.headers, await countAnyone(limits, endpoint, counted))
      }
      if (endpoint.closed) throw endpoint.closed()
      const auditContext = auditContextOf(endpoint, request, { actor: { type: 'public', keyId: null }, channel: 'web' })
      return { caller: null, reach: 'all', entrant: undefined, auditContext, request }
    }
    const entrant = await this.#authenticate(ctx, exchange, this.#door)
    const { caller } = entrant
    const { network } = request
    Object.assign(exchange.headers, await countCaller(this.#deps.limits, endpoint, { caller, network }))
    return this.#admitTo(endpoint, entrant, request)
  }

  /**
   * Lets a caller in at another door than the API's, and counts the request against the limit of the caller.
   * @throws the refusal, before the body is read
   */
  async enter(ctx: Context, exchange: Exchange, door: Door): Promise<Entrant> {
    const entrant = await this.#authenticate(ctx, exchange, door)
    const { caller } = entrant
    const { limits, runtime } = this.#deps
    const counted = await countRequest(limits, `caller:${caller.id}`, caller.limitPerMinute)
    Object.assign(exchange.headers, counted)
    checkEntrant(entrant, new ContextInfo(ctx, exchange.requestId), runtime.clock.now())
    return entrant
  }

  /** Admits one call of a caller who has come in: the request is counted already, except for the endpoint's own limits. */
  async admitCall(endpoint: Endpoint, entrant: Entrant, request: RequestInfo): Promise<AdmittedRequest> {
    const { caller } = entrant
    await countOwnOf(this.#deps.limits, endpoint, { caller, network: request.network })
    return this.#admitTo(endpoint, entrant, request)
  }

  /** Counts a request without a valid credential against the limit of its network. @throws RATE_LIMITED */
  async countAnonymous({ ip }: Context, { headers }: Exchange): Promise<void> {
    const { limits, limitSettings } = this.#deps
    Object.assign(headers, await countRequest(limits, `ip:${networkOf(ip)}`, limitSettings.anonymousPerMinute))
  }

  #admitTo(endpoint: Endpoint, entrant: Entrant, request: RequestInfo): AdmittedRequest {
    const { caller } = entrant
    const reach = checkCaller(endpoint, caller, { request, now: this.#deps.runtime.clock.now() })
    if (endpoint.closed) throw endpoint.closed()
    const needsKey = endpoint.method !== 'GET' && caller.actor.type === 'api_key'
    if (needsKey && !request.header('idempotency-key')) throw KeyRequired()
    return { caller, reach, entrant, auditContext: auditContextOf(endpoint, request, caller), request }
  }

  async #authenticate(ctx: Context, exchange: Exchange, door: Door): Promise<Entrant> {
    try {
      const credential = bearerOf(ctx.get('authorization'))
      const { read, readForChange } = this.#deps.runtime.database
      const where = { db: ctx.method === 'GET' ? read : readForChange, inTransaction: false, locksAccount: false }
      const caller = await this.#callerBy(credential, door, where)
      exchange.caller = caller.id
      exchange.tenantId = caller.tenant?.id
      return { caller, credential, door }
    } catch (error) {
      if (error instanceof ApiError && error.spec.status === 401) await this.countAnonymous(ctx, exchange)
      throw error
    }
  }

  /** @throws UNAUTHORIZED, ACCOUNT_DISABLED */
  async #callerBy(credential: string, { authenticators }: Door, where: CredentialLookup): Promise<Caller> {
    const authenticator = authenticators.find((one) => one.recognises(credential))
    const caller = await authenticator?.authenticate(credential, this.#deps.runtime.clock.now(), where)
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
  async reauthorize(endpoint: Endpoint, { entrant, request }: AdmittedRequest, db?: SystemDb): Promise<CallerReach> {
    if (!entrant) return { caller: null, reach: 'all' }
    const { credential, door } = entrant
    const where = db
      ? { db, inTransaction: true, locksAccount: endpoint.ownAccount }
      : { db: this.#deps.runtime.database.readForChange, inTransaction: false, locksAccount: false }
    const caller = await this.#callerBy(credential, door, where)
    const now = this.#deps.runtime.clock.now()
    checkEntrant({ caller, door }, request, now)
    return { caller, reach: checkCaller(endpoint, caller, { request, now }) }
  }
}

/** Checks what the door asks of every caller. @throws the refusal */
const checkEntrant = ({ caller, door }: Pick<Entrant, 'caller' | 'door'>, request: RequestInfo, now: string): void => {
  if (door.entry) checkCaller(door.entry, caller, { request, now })
}

const auditContextOf = (
  { id }: Endpoint,
  { requestId, ip }: RequestInfo,
  { actor, channel }: Pick<Caller, 'actor' | 'channel'>,
): AuditContext => ({ actor, channel, action: id, requestId, ip })
