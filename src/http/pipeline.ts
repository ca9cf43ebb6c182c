import type { Context } from 'koa'
import type { Logger } from 'pino'
import type { Caller, TenantInfo } from '#kernel/actor.ts'
import { ApiError } from '#kernel/errors.ts'
import { OtherStatus, type Endpoint } from '#kernel/endpoint.ts'
import type { Content, Redirect, Upload } from '#kernel/media.ts'
import type { Permission } from '#kernel/permissions.ts'
import { isPage } from '#kernel/schema.ts'
import { CommitWithError } from '#kernel/unit-of-work.ts'
import {
  claimKey,
  releaseKey,
  storeReply,
  type ClaimedKey,
  type KeyedRequest,
  type StoredReply,
} from '#runtime/idempotency.ts'
import { listHandle, outsideHandle, reachedHandle, readHandle } from '#runtime/handles.ts'
import { ListCursors } from '#runtime/cursors.ts'
import { runInTransaction, type OpenTransaction } from '#runtime/transaction.ts'
import type { Vault } from '#runtime/vault.ts'
import { Admission, type AdmissionDeps, type AdmittedRequest, type Exchange, type CallerReach } from './admission.ts'
import { BodyReader, MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES, type BodySettings, type BufferedBody } from './body.ts'
import { contentReply, isInMemory, isStream } from './content.ts'
import { allowOrigin, preflight, type KnowsOrigin } from './cors.ts'
import { parseInput, type ParsedInput, type RawInput } from './input.ts'
import { keyedRequest } from './keyed-request.ts'
import { Pace } from './pace.ts'
import { jsonReply, pageReply, redirectReply, type Reply } from './reply.ts'
import { Transfers, type TransferSettings } from './transfers.ts'

export interface PipelineDeps extends AdmissionDeps {
  vault: Vault
  bodySettings: BodySettings & TransferSettings
  /** Whether a valid publishable key lists this web origin. */
  knowsOrigin: KnowsOrigin
  log: Logger
  /** Called with every finished request; tests use it to check replies against their declarations. */
  observe?: (exchange: { endpoint: Endpoint; status: number; reply: unknown; error: ApiError | undefined }) => void
}

interface MaybeKeyed {
  keyed: KeyedRequest | undefined
  claim?: ClaimedKey | undefined
}

interface StoredOrNewReply extends StoredReply {
  replayed: boolean
  /** A reply that is not JSON. It is never stored, because its endpoint takes no credential. */
  content?: Content
}

/**
 * Refusals with these statuses are not stored: a repeat with the same Idempotency-Key runs again. All others are stored
 * like replies.
 */
const RETRIED_STATUSES = new Set([400, 401, 403, 422, 428, 429])

const NO_BODY: BufferedBody = { bytes: Buffer.alloc(0), release: () => {} }
/** Refuse a change at once when too many changes wait. */
const REFUSED_WHEN_OVERLOADED = { refusable: true }

/**
 * Runs an endpoint: everything between the router and the reply. The contract fixes the order of the checks: credential
 * (401), rate limit (429), state of the institute (402, 403), permission (403), feature (403), presence of an
 * Idempotency-Key (428), reading the body (400), earlier use of the key (409), schema (422), and then the endpoint's
 * own refusals (404, 403, 409, 422).
 */
export class Pipeline {
  readonly #deps: PipelineDeps
  readonly #bodies: BodyReader
  readonly #transfers: Transfers
  readonly #admission: Admission
  readonly #pace = new Pace()

  constructor(deps: PipelineDeps) {
    this.#deps = deps
    this.#admission = new Admission(deps)
    this.#bodies = new BodyReader(deps.bodySettings)
    this.#transfers = new Transfers(deps.bodySettings)
  }

  /** Runs one request. It fills in `exchange` on the way, also when it ends with an error. */
  async run(ctx: Context, exchange: Exchange, endpoint: Endpoint): Promise<Reply> {
    const release: (() => void)[] = []
    let reply: Reply | undefined
    try {
      if (endpoint.access === 'publishable') await this.#allowOrigin(ctx, exchange)
      const admitted = await this.#admission.admit(ctx, exchange, endpoint)
      const raw = await this.#input(ctx, endpoint, { network: admitted.request.network, release })
      reply =
        endpoint.method === 'GET'
          ? await this.#answerRead(ctx, endpoint, { admitted, raw, release })
          : await this.#answerChange(exchange, endpoint, { admitted, raw })
      return reply
    } catch (error) {
      this.#deps.observe?.({
        endpoint,
        status: error instanceof ApiError ? error.spec.status : 500,
        reply: undefined,
        error: error instanceof ApiError ? error : undefined,
      })
      throw error
    } finally {
      const end = () => release.forEach((done) => done())
      if (reply && isStream(reply.body) && !ctx.res.closed) ctx.res.once('close', end)
      else end()
    }
  }

  /** Answers a CORS preflight request for the endpoints at one address. */
  async preflight(ctx: Context, exchange: Exchange, endpoints: readonly Endpoint[]): Promise<Reply> {
    await this.#admission.countAnonymous(ctx, exchange)
    await this.#allowOrigin(ctx, exchange)
    return preflight(exchange.headers, endpoints)
  }

  async #allowOrigin(ctx: Context, { headers }: Exchange): Promise<void> {
    const { runtime, knowsOrigin } = this.#deps
    const origin = ctx.get('origin') || undefined
    const isKnown = origin !== undefined && (await knowsOrigin(origin, runtime.clock.now(), runtime.database.read))
    allowOrigin(headers, isKnown ? origin : undefined)
  }

  /** Reads the input of a request. A body is read into memory, unless it is an upload. */
  async #input(
    ctx: Context,
    { method, access, takes }: Endpoint,
    { network, release }: { network: string; release: (() => void)[] },
  ): Promise<RawInput> {
    let { bytes } = NO_BODY
    let upload: Upload | undefined
    if (typeof takes === 'object') {
      release.push(this.#transfers.begin(network))
      upload = this.#transfers.upload(ctx.req, ctx.res, takes)
    } else if (method !== 'GET') {
      const limit = access === 'anyone' ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES
      const body = await this.#bodies.read(ctx.req, ctx.res, { network, limit })
      release.push(body.release)
      bytes = body.bytes
    }
    return {
      params: ctx.params as Record<string, string>,
      query: new URLSearchParams(ctx.querystring),
      body: bytes,
      upload,
      contentType: ctx.get('content-type') || undefined,
    }
  }

  async #answerChange(
    exchange: Exchange,
    endpoint: Endpoint,
    { admitted, raw }: { admitted: AdmittedRequest; raw: RawInput },
  ): Promise<Reply> {
    const { id, startsPerSecond } = endpoint
    if (startsPerSecond) await this.#pace.turn(`${id} ${tenantOf(admitted.caller).id}`, startsPerSecond)
    const replied = await this.#change(endpoint, admitted, raw)
    Object.assign(exchange.headers, await this.#headersAfter(endpoint, admitted, { raw, replied }))
    if (replied.replayed) exchange.headers['Idempotency-Replayed'] = 'true'
    return replied.content ? pageReply(replied.status, replied.content) : jsonReply(replied)
  }

  async #answerRead(
    ctx: Context,
    endpoint: Endpoint,
    { admitted, raw, release }: { admitted: AdmittedRequest; raw: RawInput; release: (() => void)[] },
  ): Promise<Reply> {
    const { caller, reach, request } = admitted
    const input = parseInput(endpoint, raw)
    const { runtime } = this.#deps
    const handles = isPage(endpoint.reply)
      ? await this.#listHandles(endpoint, { caller, reach }, raw)
      : this.#readHandles(endpoint, { caller, reach }, raw)
    const given: unknown = await endpoint.handle({ ...input, request, caller, now: runtime.clock.now(), ...handles })
    const { status, reply } = this.#outcome(endpoint, given)
    if (endpoint.gives === 'json') return jsonReply({ status, body: JSON.stringify(reply) })
    if (endpoint.gives === 'redirect') return redirectReply(status, reply as Redirect)
    const content = reply as Content
    if (!isInMemory(content)) release.push(this.#transfers.begin(request.network))
    const accepts = (encoding: string) => ctx.acceptsEncodings(encoding) === encoding
    return contentReply(content, status, { method: ctx.method, header: (name) => request.header(name), accepts })
  }

  #readHandles(endpoint: Endpoint, { caller, reach }: CallerReach, raw: RawInput) {
    const { runtime, vault } = this.#deps
    if (endpoint.kind === 'openRead' || endpoint.kind === 'openChange') {
      const { read: everywhere } = runtime.database
      return {
        db: outsideHandle(runtime),
        everywhere,
        inTenant: (tenant: Pick<TenantInfo, 'id'>) => readHandle(runtime, tenant.id, 'all'),
        cursors: new ListCursors(vault, [endpoint.id, caller?.id ?? '', ...Object.values(raw.params)]),
      }
    }
    const tenant = tenantOf(caller)
    const whole = readHandle(runtime, tenant.id, 'all')
    return {
      tenant,
      whole,
      db: reach === 'all' ? whole : readHandle(runtime, tenant.id, reach),
      reachedBy: (permission: Permission) => reachedHandle(runtime, tenant.id, caller?.grants.reach(permission)),
      cursors: new ListCursors(vault, [endpoint.id, tenant.id, ...Object.values(raw.params)]),
    }
  }

  /** The handles for lists. Under a limited reach, `db` starts from the reached rows where they are few. */
  async #listHandles(endpoint: Endpoint, callerReach: CallerReach, raw: RawInput) {
    const handles = this.#readHandles(endpoint, callerReach, raw)
    if (handles.tenant && callerReach.reach !== 'all') {
      handles.db = await listHandle(this.#deps.runtime, handles.tenant.id, callerReach.reach)
    }
    return handles
  }

  async #change(endpoint: Endpoint, admitted: AdmittedRequest, raw: RawInput): Promise<StoredOrNewReply> {
    const keyed = keyedRequest(endpoint, admitted, raw)
    // Throw errors of the input only after the key was checked: a key that was used with another body is a 409.
    const input = deferError(() => parseInput(endpoint, raw))
    const { prepare, needsPrepare } = endpoint
    const wholeTenant = () => readHandle(this.#deps.runtime, tenantOf(admitted.caller).id, 'all')
    if (!prepare || (needsPrepare && !(await needsPrepare(wholeTenant())))) {
      return this.#transact(endpoint, admitted, { keyed, input, prepared: undefined })
    }
    let claim: ClaimedKey | undefined
    if (keyed) {
      const { earlier, claimedAt } = await this.#system(admitted, async (unit) => {
        await this.#admission.reauthorize(endpoint, admitted, unit.db)
        return { earlier: await claimKey(unit.db, this.#deps.vault, keyed, unit.now), claimedAt: unit.now }
      })
      if (earlier) return { ...earlier, replayed: true }
      claim = { ...keyed, claimedAt }
    }
    try {
      const { request } = admitted
      const { caller, reach } = await this.#admission.reauthorize(endpoint, admitted)
      const prepared = await prepare({
        ...input(),
        bytes: raw.body,
        request,
        caller,
        now: this.#deps.runtime.clock.now(),
        ...this.#readHandles(endpoint, { caller, reach }, raw),
        begin: <T>(work: (tx: ReturnType<OpenTransaction['system']>) => Promise<T>) =>
          this.#system(admitted, (unit) => work(unit.system())),
      })
      return await this.#transact(endpoint, admitted, { keyed, claim, input, prepared })
    } catch (error) {
      if (claim) await this.#afterRefusal(endpoint, admitted, { keyed: claim, claim, error })
      throw error
    }
  }

  #system<T>({ auditContext }: AdmittedRequest, work: (unit: OpenTransaction) => Promise<T>): Promise<T> {
    return runInTransaction(this.#deps.runtime, auditContext, work, REFUSED_WHEN_OVERLOADED)
  }

  /**
   * Runs the change in one transaction and claims the key in it, unless `claim` shows that `prepare` needed it earlier.
   */
  async #transact(
    endpoint: Endpoint,
    admitted: AdmittedRequest,
    { keyed, claim, input, prepared }: MaybeKeyed & { input: () => ParsedInput; prepared: unknown },
  ): Promise<StoredOrNewReply> {
    const { runtime, vault } = this.#deps
    const { auditContext, request } = admitted
    let refusal: CommitWithError | undefined
    try {
      const make = async (unit: OpenTransaction): Promise<StoredOrNewReply> => {
        refusal = undefined
        const { caller, reach } = await this.#admission.reauthorize(endpoint, admitted, unit.db)
        const taken = claim ?? (keyed && { ...keyed, claimedAt: unit.now })
        if (keyed && !claim) {
          const earlier = await claimKey(unit.db, vault, keyed, unit.now)
          if (earlier) return { ...earlier, replayed: true }
        }
        const tenant = endpoint.kind === 'change' ? tenantOf(caller) : null
        const tx = tenant ? unit.tenant(tenant, reach) : unit.system()
        const parsed = input()
        const result = await endpoint.handle({ ...parsed, request, caller, tenant, tx, prepared })
        if (!unit.isAudited) auditMinimum(endpoint, tx, parsed.params as Record<string, unknown>)
        if (result instanceof CommitWithError) {
          refusal = result
          if (taken) await releaseKey(unit.db, taken)
          return { status: result.error.spec.status, body: '', replayed: false }
        }
        const { status, reply: given } = this.#outcome(endpoint, result)
        if (endpoint.gives !== 'json') return { status, body: '', replayed: false, content: given as Content }
        const reply = { status, body: endpoint.reply === null ? '' : JSON.stringify(given) }
        if (taken) await storeReply(unit.db, vault, taken, { ...reply, secret: endpoint.secretReply })
        return { ...reply, replayed: false }
      }
      const replied = await runInTransaction(runtime, auditContext, make, REFUSED_WHEN_OVERLOADED)
      if (refusal) throw refusal.error
      return replied
    } catch (error) {
      if (keyed && !claim && !refusal) await this.#afterRefusal(endpoint, admitted, { keyed, error })
      throw error
    }
  }

  /** After the change was rolled back: stores the refusal for repeats of the request, or frees the key. */
  async #afterRefusal(
    endpoint: Endpoint,
    admitted: AdmittedRequest,
    { keyed, claim, error }: { keyed: KeyedRequest; claim?: ClaimedKey; error: unknown },
  ): Promise<void> {
    const { vault, log } = this.#deps
    if (isAboutTheKey(error)) return
    const kept = error instanceof ApiError && error.spec.status < 500 && !RETRIED_STATUSES.has(error.spec.status)
    if (!kept && !claim) return
    try {
      await this.#system(admitted, async (unit) => {
        const taken = claim ?? { ...keyed, claimedAt: unit.now }
        if (!kept) return releaseKey(unit.db, taken)
        if (!claim && (await claimKey(unit.db, vault, keyed, unit.now))) return
        const body = JSON.stringify(errorBody(error, admitted.request.requestId))
        await storeReply(unit.db, vault, taken, { status: error.spec.status, body, secret: false })
      })
    } catch (failed) {
      // Another request has claimed the key meanwhile, and stores its own reply.
      if (isAboutTheKey(failed)) return
      log.error(
        { err: failed, requestId: admitted.request.requestId },
        `${endpoint.id}: the refusal could not be stored for repeats of the request`,
      )
    }
  }

  /**
   * The headers that an endpoint computes after the commit. An error here is only logged, because the change is already
   * made.
   */
  async #headersAfter(
    endpoint: Endpoint,
    { caller, reach, request }: AdmittedRequest,
    { raw, replied }: { raw: RawInput; replied: StoredReply },
  ): Promise<Reply['headers']> {
    if (!endpoint.headersAfter || replied.status >= 300) return {}
    try {
      const { params } = parseInput(endpoint, raw)
      const handles = await this.#listHandles(endpoint, { caller, reach }, raw)
      const now = this.#deps.runtime.clock.now()
      return await endpoint.headersAfter({ ...handles, caller, now, params, reply: JSON.parse(replied.body) })
    } catch (error) {
      this.#deps.log.warn({ err: error, requestId: request.requestId }, `${endpoint.id}: a reply goes without headers`)
      return {}
    }
  }

  #outcome(endpoint: Endpoint, result: unknown): { status: number; reply: unknown } {
    const { status, reply } = result instanceof OtherStatus ? result : { status: endpoint.status, reply: result }
    this.#deps.observe?.({ endpoint, status, reply, error: undefined })
    return { status, reply }
  }
}

const tenantOf = (caller: Caller | null): TenantInfo => {
  if (!caller?.tenant) throw new Error('a caller without an institute reached an endpoint inside an institute')
  return caller.tenant
}

const isAboutTheKey = (error: unknown): boolean =>
  error instanceof ApiError && (error.spec.name === 'idempotency_key_reused' || error.spec.name === 'still_running')

const deferError = <T>(work: () => T): (() => T) => {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Adds an audit entry for a change whose handler added none: every change must have one. */
const auditMinimum = (
  endpoint: Endpoint,
  tx: { audit(note: { entityType: string; entityId: string | null }): void },
  params: Record<string, unknown>,
): void => {
  // A parameter that is not an id (a channel, for example) does not identify a record.
  const [name, value] = Object.entries(params).at(-1) ?? []
  const isId = name !== undefined && endpoint.params[name] === undefined
  tx.audit({ entityType: endpoint.id.split('.')[0] as string, entityId: isId ? (value as string) : null })
}

/** The error envelope of the contract. */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: {
    code: error.spec.code,
    message: error.spec.message,
    ...(error.details && { details: error.details }),
    requestId,
  },
})
