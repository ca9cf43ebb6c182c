import { setImmediate } from 'node:timers/promises'
import type { Context } from 'koa'
import type { Logger } from 'pino'
import { ApiError } from '#kernel/values/errors.ts'
import type { Endpoint, RequestInfo } from '#kernel/contract/endpoint.ts'
import type { FileReader } from '#kernel/contract/list-file.ts'
import type { Content, Redirect, Upload } from '#kernel/values/media.ts'
import type { RecordNames } from '#kernel/contract/module.ts'
import { networkOf } from '#kernel/basics/network.ts'
import { isPage, MAX_LIMIT, type Page } from '#kernel/values/schema.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { FALLBACK_LOCALE, type Locale } from '#shared/locale.ts'
import { readHandle } from '#runtime/records/handles.ts'
import type { StoredReply } from '#runtime/change/idempotency.ts'
import { workFor } from '#runtime/change/requester.ts'
import {
  Admission,
  type AdmissionDeps,
  type AdmittedRequest,
  type Door,
  type Entrant,
  type Exchange,
} from './admission/admission.ts'
import {
  BodyReader,
  MAX_ANONYMOUS_BODY_BYTES,
  MAX_BODY_BYTES,
  type BodySettings,
  type BufferedBody,
} from './bodies/body.ts'
import { ChangeRun, type ChangeReply } from './change-run.ts'
import { contentReply, isStream, isStreamed } from './bodies/content.ts'
import { listHandles, outcomeOf, readHandles, tenantOf, type ContextDeps } from './request/context.ts'
import { allowAnyOrigin, allowOrigin, preflight, type KnowsOrigin } from './admission/cors.ts'
import { parseInput, type RawInput } from './bodies/input.ts'
import { columnsOf, givesFile } from './list-files/columns.ts'
import { formatAsked, listFileReply, type FileFormat } from './list-files/list-file.ts'
import { NamesOfRecords } from './list-files/names.ts'
import { noteDownload, takenAs } from './list-files/note-download.ts'
import { Pace } from './admission/request-pace.ts'
import { jsonReply, pageReply, redirectReply, type Reply } from './replies/reply.ts'
import { markOf } from './request/mark.ts'
import { Transfers, type TransferSettings } from './request/transfers.ts'

export interface PipelineDeps extends AdmissionDeps, ContextDeps {
  bodySettings: BodySettings & TransferSettings
  /** Whether a valid publishable key lists this web origin. */
  knowsOrigin: KnowsOrigin
  /** What files of lists say for ids. */
  recordNames: readonly RecordNames[]
  log: Logger
}

/** A call of an endpoint that comes in a request of its own kind, such as a tool call of an assistant. */
export interface EndpointCall {
  endpoint: Endpoint
  entrant: Entrant
  request: RequestInfo
  raw: RawInput
}

export interface CallReply {
  status: number
  /** null: the reply has no body. */
  reply: unknown
  /** The reply of an earlier call with this Idempotency-Key, which may be a refusal. */
  replayed: boolean
}

interface AdmittedInput {
  admitted: AdmittedRequest
  raw: RawInput
}

/** Runs work in which something slow waits for its turn among those of other callers. */
const forCaller = <T>({ caller, request }: AdmittedRequest, work: () => T): T =>
  workFor({ tenantId: caller?.tenant?.id ?? null, id: caller?.id ?? request.network, isJob: false }, work)

const NO_BODY: BufferedBody = { bytes: Buffer.alloc(0), release: () => {} }

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
      if (endpoint.anyOrigin) allowAnyOrigin(exchange.headers)
      else if (endpoint.access === 'publishable') await this.#allowOrigin(ctx, exchange)
      const admitted = await this.#admission.admit(ctx, exchange, endpoint)
      const raw = await this.#input(ctx, endpoint, { network: admitted.request.network, release })
      reply =
        endpoint.method === 'GET'
          ? await this.#answerRead(ctx, endpoint, { admitted, raw, release })
          : await this.#answerChange(exchange, endpoint, { admitted, raw })
      return reply
    } catch (error) {
      this.#observeError(endpoint, error)
      throw error
    } finally {
      const end = () => release.forEach((done) => done())
      if (reply && isStream(reply.body) && !ctx.res.closed) ctx.res.once('close', end)
      else end()
    }
  }

  /** Lets a caller in at another door than the API's. */
  enter(ctx: Context, exchange: Exchange, door: Door): Promise<Entrant> {
    return this.#admission.enter(ctx, exchange, door)
  }

  /** Reads a body into memory. Call `release` when its bytes are no longer needed. */
  readBody({ req, res, ip }: Context, limit: number): Promise<BufferedBody> {
    return this.#bodies.read(req, res, { network: networkOf(ip), limit })
  }

  /** Runs an endpoint whose reply is JSON for a caller who has come in: all that a request goes through, but for HTTP. */
  async call({ endpoint, entrant, request, raw }: EndpointCall): Promise<CallReply> {
    try {
      const admitted = await this.#admission.admitCall(endpoint, entrant, request)
      if (endpoint.method === 'GET')
        return { ...(await this.#readEndpoint(endpoint, { admitted, raw })), replayed: false }
      const { status, body, replayed } = await this.#changeBy(endpoint, { admitted, raw })
      return { status, reply: body === '' ? null : JSON.parse(body), replayed }
    } catch (error) {
      this.#observeError(endpoint, error)
      throw error
    }
  }

  /** What a change would reply, and whether it would be refused. Nothing is kept. */
  async rehearse({ endpoint, entrant, request, raw }: EndpointCall): Promise<unknown> {
    try {
      const admitted = await this.#admission.admitCall(endpoint, entrant, request)
      const rehearsed = new ChangeRun(this.#deps, this.#admission, { endpoint, admitted, raw })
      return await forCaller(admitted, () => rehearsed.rehearse())
    } catch (error) {
      this.#observeError(endpoint, error)
      throw error
    }
  }

  #observeError(endpoint: Endpoint, error: unknown): void {
    this.#deps.observe?.({
      endpoint,
      status: error instanceof ApiError ? error.spec.status : 500,
      reply: undefined,
      error: error instanceof ApiError ? error : undefined,
    })
  }

  /** Answers a CORS preflight request for the endpoints at one address. */
  async preflight(ctx: Context, exchange: Exchange, endpoints: readonly Endpoint[]): Promise<Reply> {
    await this.#admission.countAnonymous(ctx, exchange)
    if (endpoints.some(({ anyOrigin }) => anyOrigin)) allowAnyOrigin(exchange.headers)
    else await this.#allowOrigin(ctx, exchange)
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

  async #answerChange(exchange: Exchange, endpoint: Endpoint, { admitted, raw }: AdmittedInput): Promise<Reply> {
    const replied = await this.#changeBy(endpoint, { admitted, raw })
    Object.assign(exchange.headers, await this.#headersAfter(endpoint, admitted, { raw, replied }))
    if (replied.replayed) exchange.headers['Idempotency-Replayed'] = 'true'
    return replied.content ? pageReply(replied.status, replied.content) : jsonReply(replied)
  }

  async #changeBy(endpoint: Endpoint, { admitted, raw }: AdmittedInput): Promise<ChangeReply> {
    const { id, startsPerSecond } = endpoint
    if (startsPerSecond) await this.#pace.turn(`${id} ${tenantOf(admitted.caller).id}`, startsPerSecond)
    const change = new ChangeRun(this.#deps, this.#admission, { endpoint, admitted, raw })
    return forCaller(admitted, () => change.run())
  }

  async #answerRead(
    ctx: Context,
    endpoint: Endpoint,
    { admitted, raw, release }: AdmittedInput & { release: (() => void)[] },
  ): Promise<Reply> {
    const { request } = admitted
    const asList = givesFile(endpoint) && formatAsked(raw.query, (types) => ctx.accepts([...types]))
    if (asList) return this.#answerListFile(ctx, { endpoint, format: asList }, { admitted, raw, release })
    const { status, reply } = await this.#readEndpoint(endpoint, { admitted, raw }, ctx.method === 'HEAD')
    if (endpoint.gives === 'json') return jsonReply({ status, body: JSON.stringify(reply) })
    if (endpoint.gives === 'redirect') return redirectReply(status, reply as Redirect)
    const content = reply as Content
    const format = takenAs(content.type)
    if (format !== undefined && admitted.caller && ctx.method !== 'HEAD')
      await noteDownload(this.#deps.runtime, { admitted, raw, format })
    if (isStreamed(content)) release.push(this.#transfers.begin(request.network))
    const accepts = (encoding: string) => ctx.acceptsEncodings(encoding) === encoding
    const asked = { method: ctx.method, header: (name: string) => request.header(name), accepts }
    return forCaller(admitted, () => contentReply(content, status, asked))
  }

  /** The first page is read before the reply begins, so that a refusal is told as one. */
  async #answerListFile(
    ctx: Context,
    { endpoint, format }: { endpoint: Endpoint; format: FileFormat },
    { admitted, raw, release }: AdmittedInput & { release: (() => void)[] },
  ): Promise<Reply> {
    const { caller, request } = admitted
    const first = await this.#readPage(endpoint, { admitted, raw }, null)
    if (ctx.method !== 'HEAD') {
      const records = first.nextCursor === null ? first.data.length : undefined
      await noteDownload(this.#deps.runtime, { admitted, raw, format, records })
    }
    release.push(this.#transfers.begin(request.network))
    const { defaultLocale = FALLBACK_LOCALE, timezone: zone = 'UTC' } = caller?.tenant ?? {}
    const locale = request.locale(defaultLocale)
    const now = this.#deps.runtime.clock.now()
    const columns = columnsOf(endpoint.reply as NonNullable<Endpoint['reply']>)
    const { runtime, recordNames } = this.#deps
    const names = await NamesOfRecords.of(runtime, recordNames, { caller, columns })
    const reader = caller?.tenant ? this.#fileReader(caller, caller.tenant, locale) : undefined
    const reply = listFileReply(
      { endpoint, format, locale, zone, now, names, reader },
      this.#pagesFrom(first, endpoint, { admitted, raw }),
    )
    return ctx.method === 'HEAD' ? { ...reply, body: '' } : reply
  }

  #fileReader({ grants }: Caller, { id, timezone: zone, currency }: TenantInfo, locale: Locale): FileReader {
    const whole = readHandle(this.#deps.runtime, id, 'all')
    return { locale, zone, currency, whole, may: (permission) => grants.reach(permission) === 'all' }
  }

  /** The pages of a list, as they are taken. Whoever loses the right to read it gets no further page. */
  async *#pagesFrom(
    first: Page<unknown>,
    endpoint: Endpoint,
    { admitted, raw }: AdmittedInput,
  ): AsyncGenerator<Page<unknown>> {
    let page = first
    try {
      yield page
      while (page.nextCursor !== null) {
        // Others have their turn after every page.
        await setImmediate()
        const present = { ...admitted, ...(await this.#admission.reauthorize(endpoint, admitted)) }
        page = await this.#readPage(endpoint, { admitted: present, raw }, page.nextCursor)
        yield page
      }
    } catch (error) {
      const { requestId } = admitted.request
      this.#deps.log.warn({ err: error, requestId }, `${endpoint.id}: a list ended before its end`)
      throw error
    }
  }

  async #readPage(endpoint: Endpoint, { admitted, raw }: AdmittedInput, cursor: string | null): Promise<Page<unknown>> {
    const query = new URLSearchParams(raw.query)
    query.set('limit', String(MAX_LIMIT))
    if (cursor !== null) query.set('cursor', cursor)
    const { reply } = await this.#readEndpoint(endpoint, { admitted, raw: { ...raw, query } })
    return reply as Page<unknown>
  }

  async #readEndpoint(
    endpoint: Endpoint,
    { admitted, raw }: AdmittedInput,
    isHead = false,
  ): Promise<{ status: number; reply: unknown }> {
    const { caller, reach, request } = admitted
    const input = parseInput(endpoint, raw)
    const { runtime } = this.#deps
    const handles = isPage(endpoint.reply)
      ? await listHandles(this.#deps, endpoint, { caller, reach, raw })
      : readHandles(this.#deps, endpoint, { caller, reach, raw })
    // A cursor is part of the input: whether it is refused must not depend on what the list holds or who asks.
    const { cursor } = (input.query ?? {}) as { cursor?: string }
    if (cursor !== undefined && isPage(endpoint.reply)) handles.cursors.decode(cursor)
    const mark = isHead ? undefined : markOf(runtime, admitted)
    const context = { ...input, request, caller, now: runtime.clock.now(), mark, ...handles }
    const given: unknown = await forCaller(admitted, () => endpoint.handle(context))
    return outcomeOf(this.#deps, endpoint, given)
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
      const handles = await listHandles(this.#deps, endpoint, { caller, reach, raw })
      const now = this.#deps.runtime.clock.now()
      return await endpoint.headersAfter({ ...handles, caller, now, params, reply: JSON.parse(replied.body) })
    } catch (error) {
      this.#deps.log.warn({ err: error, requestId: request.requestId }, `${endpoint.id}: a reply goes without headers`)
      return {}
    }
  }
}
