import type { Context } from 'koa'
import type { Logger } from 'pino'
import type { Caller, TenantInfo } from '#kernel/actor.ts'
import type { Authenticator, LookUp } from '#kernel/authenticator.ts'
import { ApiError, KeyRequired, Unauthorized } from '#kernel/errors.ts'
import { OtherStatus, type Endpoint, type RequestInfo } from '#kernel/endpoint.ts'
import type { Reach } from '#kernel/permissions.ts'
import { isPage } from '#kernel/schema.ts'
import { KeptRefusal } from '#kernel/unit-of-work.ts'
import type { SystemDb } from '#kernel/tables.ts'
import { networkOf } from '#kernel/network.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import {
  claimKey,
  releaseKey,
  storeReply,
  type Claim,
  type KeyedRequest,
  type StoredReply,
} from '#runtime/idempotency.ts'
import type { Origin } from '#runtime/origin.ts'
import { listHandle, readHandle } from '#runtime/handles.ts'
import { ListCursors } from '#runtime/pages.ts'
import { runUnit, type OpenUnit, type Units } from '#runtime/unit-of-work.ts'
import type { Vault } from '#runtime/vault.ts'
import { bearerOf, checkCaller } from './access.ts'
import { BodyReader, MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES, type BodySettings, type HeldBody } from './body.ts'
import { parseInput, type ParsedInput, type RawInput } from './input.ts'
import { keyedRequest } from './keyed-request.ts'
import { countRequest, type LimitSettings } from './limits.ts'
import type { Reply } from './reply.ts'
import { ContextInfo } from './request-info.ts'

export interface PipelineDeps {
  units: Units
  vault: Vault
  limits: RateLimits
  limitSettings: LimitSettings
  bodySettings: BodySettings
  authenticators: readonly Authenticator[]
  log: Logger
  /** Sees every finished exchange; tests check replies against their declaration with it. */
  observe?: (exchange: { endpoint: Endpoint; status: number; reply: unknown; error: ApiError | undefined }) => void
}

/** What is known of a request, whatever comes of it. */
export interface Exchange {
  readonly requestId: string
  /** The operation, or `page`. */
  endpoint: string
  caller: string | undefined
  /** Of the reply. */
  readonly headers: Reply['headers']
  reply: Reply | undefined
}

/** What is known once the credential, the limits and the permission were looked at. */
interface Admitted extends Standing {
  /** By which the caller is looked at again; undefined: none was needed. */
  credential: string | undefined
  origin: Origin
  request: RequestInfo
}

/** Who calls and what they reach, as far as is known now: it can end while the request is under way. */
interface Standing {
  caller: Caller | null
  reach: Reach
}

interface Keyed {
  keyed: KeyedRequest | undefined
  claim?: Claim | undefined
}

type Replied = StoredReply & { replayed: boolean }

/** Refusals that a repeat with the same Idempotency-Key meets afresh; all others are kept like replies. */
const NOT_KEPT = new Set([400, 401, 403, 422, 428, 429])

const NO_BODY: HeldBody = { bytes: Buffer.alloc(0), release: () => {} }
/** Of a change that was refused because too many wait. */
const MAY_BE_REFUSED = { refusable: true }
export const NOT_STORED = { 'Cache-Control': 'no-store' }
export const JSON_NOT_STORED = { ...NOT_STORED, 'Content-Type': 'application/json; charset=utf-8' }

/** Runs one endpoint: everything between the router and the reply, in the order of decisions 1.3. */
export class Pipeline {
  readonly #deps: PipelineDeps
  readonly #bodies: BodyReader

  constructor(deps: PipelineDeps) {
    this.#deps = deps
    this.#bodies = new BodyReader(deps.bodySettings)
  }

  /** `exchange` hears what becomes known on the way, also when it ends in an error. */
  async run(ctx: Context, exchange: Exchange, endpoint: Endpoint): Promise<Reply> {
    let replied: Replied
    let body = NO_BODY
    let after: Reply['headers'] = {}
    try {
      const admitted = await this.#admit(ctx, exchange, endpoint)
      const isRead = endpoint.method === 'GET'
      if (!isRead) {
        const limit = endpoint.access === 'anyone' ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES
        body = await this.#bodies.read(ctx.req, ctx.res, { network: admitted.request.network, limit })
      }
      const raw: RawInput = {
        params: ctx.params as Record<string, string>,
        query: new URLSearchParams(ctx.querystring),
        body: body.bytes,
        contentType: ctx.get('content-type') || undefined,
      }
      replied = isRead ? await this.#read(endpoint, admitted, raw) : await this.#change(endpoint, admitted, raw)
      after = await this.#headersAfter(endpoint, admitted, { raw, replied })
    } catch (error) {
      this.#deps.observe?.({
        endpoint,
        status: error instanceof ApiError ? error.spec.status : 500,
        reply: undefined,
        error: error instanceof ApiError ? error : undefined,
      })
      throw error
    } finally {
      body.release()
    }
    Object.assign(exchange.headers, after)
    if (replied.replayed) exchange.headers['Idempotency-Replayed'] = 'true'
    return { status: replied.status, headers: replied.body === '' ? NOT_STORED : JSON_NOT_STORED, body: replied.body }
  }

  // The credential, the limits, the institute, the permission, the flag, the presence of an Idempotency-Key.
  async #admit(ctx: Context, exchange: Exchange, endpoint: Endpoint): Promise<Admitted> {
    const origin: Origin = {
      actor: { type: 'public', keyId: null },
      channel: 'web',
      action: endpoint.id,
      requestId: exchange.requestId,
      ip: ctx.ip,
    }
    const request = new ContextInfo(ctx, exchange.requestId)
    if (endpoint.access === 'anyone') {
      if (!endpoint.unlimited) await this.#countAnonymous(ctx, exchange)
      if (endpoint.closed) throw endpoint.closed()
      return { caller: null, reach: 'all', credential: undefined, origin, request }
    }
    const { caller, credential } = await this.#authenticate(ctx, exchange)
    exchange.caller = caller.id
    Object.assign(exchange.headers, await countRequest(this.#deps.limits, `caller:${caller.id}`, caller.limitPerMinute))
    const reach = checkCaller(endpoint, caller, request)
    if (endpoint.closed) throw endpoint.closed()
    if (endpoint.method !== 'GET' && caller.actor.type === 'api_key' && !ctx.get('idempotency-key')) throw KeyRequired()
    origin.actor = caller.actor
    origin.channel = caller.channel
    return { caller, reach, credential, origin, request }
  }

  async #countAnonymous({ ip }: Context, { headers }: Exchange): Promise<void> {
    const { limits, limitSettings } = this.#deps
    Object.assign(headers, await countRequest(limits, `ip:${networkOf(ip)}`, limitSettings.anonymousPerMinute))
  }

  async #authenticate(ctx: Context, exchange: Exchange): Promise<{ caller: Caller; credential: string }> {
    try {
      const credential = bearerOf(ctx.get('authorization'))
      const { read, ahead } = this.#deps.units.database
      const where = { db: ctx.method === 'GET' ? read : ahead, within: false }
      return { caller: await this.#callerBy(credential, where), credential }
    } catch (error) {
      if (error instanceof ApiError && error.spec.status === 401) await this.#countAnonymous(ctx, exchange)
      throw error
    }
  }

  /** @throws UNAUTHORIZED, ACCOUNT_DISABLED */
  async #callerBy(credential: string, where: LookUp): Promise<Caller> {
    const { authenticators, units } = this.#deps
    const authenticator = authenticators.find((one) => one.recognises(credential))
    const caller = await authenticator?.authenticate(credential, units.clock.now(), where)
    if (!caller) throw Unauthorized()
    return caller
  }

  /**
   * Who calls and what they reach as the change sees it. A body may take its time: since the request was let in, the
   * session, the key, the membership or the permission may have ended, and then nothing is done.
   * @param db the change's own; default: what is committed
   * @throws what refuses a request on its way in
   */
  async #standing(endpoint: Endpoint, { credential, request }: Admitted, db?: SystemDb): Promise<Standing> {
    if (credential === undefined) return { caller: null, reach: 'all' }
    const where = db ? { db, within: true } : { db: this.#deps.units.database.ahead, within: false }
    const caller = await this.#callerBy(credential, where)
    return { caller, reach: checkCaller(endpoint, caller, request) }
  }

  async #read(endpoint: Endpoint, { caller, reach, request }: Admitted, raw: RawInput): Promise<Replied> {
    const input = parseInput(endpoint, raw)
    const { units } = this.#deps
    const handles = isPage(endpoint.reply)
      ? await this.#listHandles(endpoint, { caller, reach }, raw)
      : this.#readHandles(endpoint, { caller, reach }, raw)
    const reply = await endpoint.handle({ ...input, request, caller, now: units.clock.now(), ...handles })
    return { ...this.#reply(endpoint, reply), replayed: false }
  }

  #readHandles(endpoint: Endpoint, { caller, reach }: Standing, raw: RawInput) {
    const { units, vault } = this.#deps
    if (endpoint.kind === 'openRead' || endpoint.kind === 'openChange') {
      return { db: units.database.read, cursors: new ListCursors(vault, [endpoint.id, caller?.id ?? '']) }
    }
    const tenant = tenantOf(caller)
    const whole = readHandle(units, tenant.id, 'all')
    return {
      tenant,
      whole,
      db: reach === 'all' ? whole : readHandle(units, tenant.id, reach),
      cursors: new ListCursors(vault, [endpoint.id, tenant.id, ...Object.values(raw.params)]),
    }
  }

  /** For what looks at many rows: under a limited reach it begins at what is within it where that is little. */
  async #listHandles(endpoint: Endpoint, standing: Standing, raw: RawInput) {
    const handles = this.#readHandles(endpoint, standing, raw)
    if (handles.tenant && standing.reach !== 'all') {
      handles.db = await listHandle(this.#deps.units, handles.tenant.id, standing.reach)
    }
    return handles
  }

  async #change(endpoint: Endpoint, admitted: Admitted, raw: RawInput): Promise<Replied> {
    const keyed = keyedRequest(endpoint, admitted, raw)
    // Bad input is told of only after the key was looked at: a key that was used with another body is a 409.
    const input = attempt(() => parseInput(endpoint, raw))
    if (!endpoint.prepare) return this.#transact(endpoint, admitted, { keyed, input, prepared: undefined })
    let claim: Claim | undefined
    if (keyed) {
      const { earlier, since } = await this.#system(admitted, async (unit) => {
        await this.#standing(endpoint, admitted, unit.db)
        return { earlier: await claimKey(unit.db, this.#deps.vault, keyed, unit.now), since: unit.now }
      })
      if (earlier) return { ...earlier, replayed: true }
      claim = { ...keyed, since }
    }
    try {
      const { request } = admitted
      const { caller, reach } = await this.#standing(endpoint, admitted)
      const prepared = await endpoint.prepare({
        ...input(),
        request,
        caller,
        now: this.#deps.units.clock.now(),
        ...this.#readHandles(endpoint, { caller, reach }, raw),
        begin: <T>(work: (tx: ReturnType<OpenUnit['system']>) => Promise<T>) =>
          this.#system(admitted, (unit) => work(unit.system())),
      })
      return await this.#transact(endpoint, admitted, { keyed, claim, input, prepared })
    } catch (error) {
      if (claim) await this.#afterRefusal(endpoint, admitted, { keyed: claim, claim, error })
      throw error
    }
  }

  #system<T>({ origin }: Admitted, work: (unit: OpenUnit) => Promise<T>): Promise<T> {
    return runUnit(this.#deps.units, origin, work, MAY_BE_REFUSED)
  }

  /** Makes the change. The key is taken with it, unless that was done before: then `claim` says so. */
  async #transact(
    endpoint: Endpoint,
    admitted: Admitted,
    { keyed, claim, input, prepared }: Keyed & { input: () => ParsedInput; prepared: unknown },
  ): Promise<Replied> {
    const { units, vault } = this.#deps
    const { origin, request } = admitted
    let refusal: KeptRefusal | undefined
    try {
      const make = async (unit: OpenUnit): Promise<Replied> => {
        refusal = undefined
        const { caller, reach } = await this.#standing(endpoint, admitted, unit.db)
        const taken = claim ?? (keyed && { ...keyed, since: unit.now })
        if (keyed && !claim) {
          const earlier = await claimKey(unit.db, vault, keyed, unit.now)
          if (earlier) return { ...earlier, replayed: true }
        }
        const tenant = endpoint.kind === 'change' ? tenantOf(caller) : null
        const tx = tenant ? unit.tenant(tenant, reach) : unit.system()
        const parsed = input()
        const result = await endpoint.handle({ ...parsed, request, caller, tenant, tx, prepared })
        if (!unit.noted) noteMinimum(endpoint, tx, parsed.params as Record<string, unknown>)
        if (result instanceof KeptRefusal) {
          refusal = result
          if (taken) await releaseKey(unit.db, taken)
          return { status: result.error.spec.status, body: '', replayed: false }
        }
        const reply = this.#reply(endpoint, result)
        if (taken) await storeReply(unit.db, vault, taken, { ...reply, secret: endpoint.secretReply })
        return { ...reply, replayed: false }
      }
      const replied = await runUnit(units, origin, make, MAY_BE_REFUSED)
      if (refusal) throw refusal.error
      return replied
    } catch (error) {
      if (keyed && !claim && !refusal) await this.#afterRefusal(endpoint, admitted, { keyed, error })
      throw error
    }
  }

  /** Keeps a refusal that repeats shall meet again, or frees a key that was taken. The change itself was undone. */
  async #afterRefusal(
    endpoint: Endpoint,
    admitted: Admitted,
    { keyed, claim, error }: { keyed: KeyedRequest; claim?: Claim; error: unknown },
  ): Promise<void> {
    const { vault, log } = this.#deps
    if (isAboutTheKey(error)) return
    const kept = error instanceof ApiError && error.spec.status < 500 && !NOT_KEPT.has(error.spec.status)
    if (!kept && !claim) return
    try {
      await this.#system(admitted, async (unit) => {
        const taken = claim ?? { ...keyed, since: unit.now }
        if (!kept) return releaseKey(unit.db, taken)
        if (!claim && (await claimKey(unit.db, vault, keyed, unit.now))) return
        const body = JSON.stringify(errorBody(error, admitted.request.requestId))
        await storeReply(unit.db, vault, taken, { status: error.spec.status, body, secret: false })
      })
    } catch (failed) {
      // Another request took the key meanwhile, and keeps its own reply.
      if (isAboutTheKey(failed)) return
      log.error({ err: failed, requestId: admitted.request.requestId }, `${endpoint.id}: the reply could not be kept`)
    }
  }

  /** What the endpoint tells in headers once its change is committed. It was made, whatever becomes of them. */
  async #headersAfter(
    endpoint: Endpoint,
    { caller, reach, request }: Admitted,
    { raw, replied }: { raw: RawInput; replied: StoredReply },
  ): Promise<Reply['headers']> {
    if (!endpoint.headersAfter || replied.status >= 300) return {}
    try {
      const { params } = parseInput(endpoint, raw)
      const handles = await this.#listHandles(endpoint, { caller, reach }, raw)
      const now = this.#deps.units.clock.now()
      return await endpoint.headersAfter({ ...handles, caller, now, params, reply: JSON.parse(replied.body) })
    } catch (error) {
      this.#deps.log.warn({ err: error, requestId: request.requestId }, `${endpoint.id}: a reply goes without headers`)
      return {}
    }
  }

  #reply(endpoint: Endpoint, result: unknown): StoredReply {
    const { status, reply } = result instanceof OtherStatus ? result : { status: endpoint.status, reply: result }
    this.#deps.observe?.({ endpoint, status, reply, error: undefined })
    return { status, body: endpoint.reply === null ? '' : JSON.stringify(reply) }
  }
}

const tenantOf = (caller: Caller | null): TenantInfo => {
  if (!caller?.tenant) throw new Error('an endpoint inside an institute was reached without one')
  return caller.tenant
}

const isAboutTheKey = (error: unknown): boolean =>
  error instanceof ApiError && (error.spec.name === 'idempotency_key_reused' || error.spec.name === 'still_running')

const attempt = <T>(work: () => T): (() => T) => {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Every change leaves an audit entry, also one whose handler had nothing to add to its name (decisions 1.9). */
const noteMinimum = (
  endpoint: Endpoint,
  tx: { audit(note: { entityType: string; entityId: string | null }): void },
  params: Record<string, unknown>,
): void => {
  const id = Object.values(params).at(-1)
  tx.audit({ entityType: endpoint.id.split('.')[0] as string, entityId: typeof id === 'string' ? id : null })
}

export const errorBody = (error: ApiError, requestId: string) => ({
  error: {
    code: error.spec.code,
    message: error.spec.message,
    ...(error.details && { details: error.details }),
    requestId,
  },
})
