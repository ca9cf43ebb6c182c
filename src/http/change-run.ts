import type { Logger } from 'pino'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { ApiError } from '#kernel/values/errors.ts'
import type { Content } from '#kernel/values/media.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { CommitWithError } from '#kernel/contract/unit-of-work.ts'
import {
  claimKey,
  releaseKey,
  RENEW_MILLIS,
  renewKey,
  storeReply,
  type ClaimedKey,
  type KeyedRequest,
  type StoredReply,
} from '#runtime/change/idempotency.ts'
import { readHandle } from '#runtime/records/handles.ts'
import { runInTransaction, type OpenTransaction } from '#runtime/change/transaction.ts'
import type { Admission, AdmittedRequest } from './admission/admission.ts'
import { outcomeOf, readHandles, tenantOf, type ContextDeps } from './request/context.ts'
import { errorBody } from './replies/error-body.ts'
import { parseInput, type ParsedInput, type RawInput } from './bodies/input.ts'
import { keyedRequest } from './keyed-request.ts'

export interface ChangeDeps extends ContextDeps {
  log: Logger
}

interface ChangeRequest {
  endpoint: Endpoint
  admitted: AdmittedRequest
  raw: RawInput
}

export interface ChangeReply extends StoredReply {
  /** The reply of the first request with this Idempotency-Key, not of this one. */
  replayed: boolean
  /** A reply that is not JSON. It is never stored, because its endpoint takes no credential. */
  content?: Content
}

/**
 * Refusals with these statuses are not stored: a repeat with the same Idempotency-Key runs again. All others are stored
 * like replies.
 */
const RETRIED_STATUSES = new Set([400, 401, 403, 422, 428, 429])

/** Refuse a change at once when too many changes wait. */
const REFUSED_WHEN_OVERLOADED = { refusable: true }

/** Rolls the transaction of a rehearsal back, and keeps its reply. */
class TakenBack extends Error {
  readonly reply: ChangeReply

  constructor(reply: ChangeReply) {
    super('A rehearsal ends without a change.')
    this.reply = reply
  }
}

/** @returns the reply of a rehearsal @throws any other error */
const replyOfRehearsal = (error: unknown): ChangeReply => {
  if (error instanceof TakenBack) return error.reply
  throw error
}

/**
 * One request that changes something, from its input to its reply. Its steps:
 *
 * 1. Where there is slow work (`prepare`), the Idempotency-Key is claimed in a transaction of its own, so that a repeat
 *    does not do that work again. The slow work then runs outside any transaction, and the lease of the key is renewed.
 * 2. One transaction claims the key, unless step 1 did, runs the handler, and stores the reply with the change.
 * 3. If either refuses, nothing is changed. The refusal is stored for repeats of the request, or the key is freed.
 *
 * The caller is checked again at the start of each step, because a session, a key or a permission may have ended.
 */
export class ChangeRun {
  readonly #deps: ChangeDeps
  readonly #admission: Admission
  readonly #endpoint: Endpoint
  readonly #admitted: AdmittedRequest
  readonly #raw: RawInput
  readonly #keyed: KeyedRequest | undefined
  /** Throws the refusal of a wrong input only when asked: a key that was used with another body comes first (409). */
  readonly #input: () => ParsedInput
  /** The key as step 1 claimed it. */
  #claim: ClaimedKey | undefined
  /** A refusal that was committed, with what the handler wrote: a failed sign-in is counted. */
  #committedRefusal: ApiError | undefined

  constructor(deps: ChangeDeps, admission: Admission, { endpoint, admitted, raw }: ChangeRequest) {
    this.#deps = deps
    this.#admission = admission
    this.#endpoint = endpoint
    this.#admitted = admitted
    this.#raw = raw
    this.#keyed = keyedRequest(endpoint, admitted, raw)
    this.#input = deferError(() => parseInput(endpoint, raw))
  }

  async run(): Promise<ChangeReply> {
    if (!(await this.#hasSlowWork())) return this.#settled(() => this.#commit(undefined))
    const earlier = await this.#claimFirst()
    if (earlier) return { ...earlier, replayed: true }
    const renewing = setInterval(() => void this.#renew(), RENEW_MILLIS)
    try {
      return await this.#settled(async () => this.#commit(await this.#prepare()))
    } finally {
      clearInterval(renewing)
    }
  }

  /**
   * Runs the change and takes it back: nothing is kept, and no Idempotency-Key is claimed. For endpoints whose slow work
   * changes nothing by itself.
   * @returns the reply that the change would have
   * @throws whatever would refuse it
   */
  async rehearse(): Promise<unknown> {
    const prepared = (await this.#hasSlowWork()) ? await this.#prepare() : undefined
    const rehearsal = this.#inTransaction(async (unit): Promise<ChangeReply> => {
      throw new TakenBack(await this.#change(unit, prepared))
    })
    const { body } = await rehearsal.catch(replyOfRehearsal)
    if (this.#committedRefusal) throw this.#committedRefusal
    return body === '' ? null : JSON.parse(body)
  }

  async #hasSlowWork(): Promise<boolean> {
    const { prepare, needsPrepare } = this.#endpoint
    if (!prepare || !needsPrepare) return prepare !== undefined
    return needsPrepare(readHandle(this.#deps.runtime, tenantOf(this.#admitted.caller).id, 'all'))
  }

  /** @returns the stored reply of an earlier request with this key */
  async #claimFirst(): Promise<StoredReply | undefined> {
    const keyed = this.#keyed
    if (!keyed) return undefined
    return this.#inTransaction(async (unit) => {
      await this.#admission.reauthorize(this.#endpoint, this.#admitted, unit.db)
      const earlier = await claimKey(unit.db, this.#deps.vault, keyed, unit.now)
      this.#claim = earlier ? undefined : { ...keyed, claimedAt: unit.now }
      return earlier
    })
  }

  /** One that fails is made up for by the next: a lease lasts for three. */
  async #renew(): Promise<void> {
    const [claim, { database, clock }] = [this.#claim, this.#deps.runtime]
    if (!claim) return
    await database
      .write((db) => renewKey(db, claim, clock.now()))
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'the lease of an Idempotency-Key could not be renewed'))
  }

  /** The slow work. */
  async #prepare(): Promise<unknown> {
    const { request } = this.#admitted
    const { caller, reach } = await this.#admission.reauthorize(this.#endpoint, this.#admitted)
    return this.#endpoint.prepare?.({
      ...this.#input(),
      bytes: this.#raw.body,
      request,
      caller,
      now: this.#deps.runtime.clock.now(),
      ...readHandles(this.#deps, this.#endpoint, { caller, reach, raw: this.#raw }),
      begin: <T>(work: (tx: ReturnType<OpenTransaction['system']>) => Promise<T>) =>
        this.#inTransaction((unit) => work(unit.system())),
    })
  }

  async #commit(prepared: unknown): Promise<ChangeReply> {
    let isRehearsal = false
    const reply = await this.#inTransaction((unit) => this.#change(unit, prepared)).catch((error: unknown) => {
      const rehearsed = replyOfRehearsal(error)
      isRehearsal = true
      return rehearsed
    })
    if (this.#committedRefusal) throw this.#committedRefusal
    // Step 1 has claimed the key in a transaction of its own, which was not taken back.
    const claim = this.#claim
    if (isRehearsal && claim) await this.#inTransaction((unit) => releaseKey(unit.db, claim))
    return reply
  }

  /** The transaction of the change. It may run more than once; only the last run counts. */
  async #change(unit: OpenTransaction, prepared: unknown): Promise<ChangeReply> {
    const endpoint = this.#endpoint
    const { vault } = this.#deps
    this.#committedRefusal = undefined
    const { caller, reach } = await this.#admission.reauthorize(endpoint, this.#admitted, unit.db)
    const { earlier, claim } = await this.#claimIn(unit)
    if (earlier) return { ...earlier, replayed: true }

    const tenant = endpoint.kind === 'change' ? tenantOf(caller) : null
    const tx = tenant ? unit.tenant(tenant, reach) : unit.system()
    const input = this.#input()
    const { request } = this.#admitted
    const result = await endpoint.handle({ ...input, request, caller, tenant, tx, prepared })
    if (!unit.isAudited) auditMinimum(endpoint, tx, input.params as Record<string, unknown>)

    if (result instanceof CommitWithError) {
      this.#committedRefusal = result.error
      if (claim) await releaseKey(unit.db, claim)
      return { status: result.error.spec.status, body: '', replayed: false }
    }
    const { status, reply: given } = outcomeOf(this.#deps, endpoint, result)
    if (endpoint.gives !== 'json') return { status, body: '', replayed: false, content: given as Content }
    const reply = { status, body: endpoint.reply === null ? '' : JSON.stringify(given) }
    if (result instanceof Rehearsed) throw new TakenBack({ ...reply, replayed: false })
    if (claim) await storeReply(unit.db, vault, claim, { ...reply, secret: endpoint.credential !== undefined })
    return { ...reply, replayed: false }
  }

  /** Claims the key in the transaction of the change, unless it is claimed already. */
  async #claimIn({ db, now }: OpenTransaction): Promise<{ earlier?: StoredReply | undefined; claim?: ClaimedKey }> {
    if (this.#claim) return { claim: this.#claim }
    if (!this.#keyed) return {}
    const earlier = await claimKey(db, this.#deps.vault, this.#keyed, now)
    return { earlier, claim: { ...this.#keyed, claimedAt: now } }
  }

  /** Runs the last steps. If they refuse, what repeats of the request get is settled. */
  async #settled(steps: () => Promise<ChangeReply>): Promise<ChangeReply> {
    try {
      return await steps()
    } catch (error) {
      if (this.#keyed && !this.#committedRefusal) await this.#settle(this.#keyed, error)
      throw error
    }
  }

  /** After the change was rolled back: stores the refusal for repeats of the request, or frees the key. */
  async #settle(keyed: KeyedRequest, error: unknown): Promise<void> {
    if (isAboutTheKey(error)) return
    const { vault, log } = this.#deps
    const { requestId } = this.#admitted.request
    const refusal = error instanceof ApiError && isStored(error) ? error : undefined
    const claim = this.#claim
    if (!refusal && !claim) return
    try {
      await this.#inTransaction(async (unit) => {
        const taken = claim ?? { ...keyed, claimedAt: unit.now }
        if (!refusal) return releaseKey(unit.db, taken)
        // The claim of step 2 was rolled back with the change.
        if (!claim && (await claimKey(unit.db, vault, keyed, unit.now))) return
        const body = JSON.stringify(errorBody(refusal, requestId))
        await storeReply(unit.db, vault, taken, { status: refusal.spec.status, body, secret: false })
      })
    } catch (failed) {
      // Another request has claimed the key meanwhile, and stores its own reply.
      if (isAboutTheKey(failed)) return
      log.error(
        { err: failed, requestId },
        `${this.#endpoint.id}: the refusal could not be stored for repeats of the request`,
      )
    }
  }

  #inTransaction<T>(work: (unit: OpenTransaction) => Promise<T>): Promise<T> {
    return runInTransaction(this.#deps.runtime, this.#admitted.auditContext, work, REFUSED_WHEN_OVERLOADED)
  }
}

const isStored = ({ spec: { status } }: ApiError): boolean => status < 500 && !RETRIED_STATUSES.has(status)

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
