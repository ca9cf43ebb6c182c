import type * as v from 'valibot'
import type { Caller, TenantInfo } from './actor.ts'
import type { Failure } from './errors.ts'
import type { FeatureFlag } from './features.ts'
import type { Content, ContentKind, Form, Redirect, RedirectKind, Upload, UploadKind } from './media.ts'
import type { Permission } from './permissions.ts'
import type { OutsideDb, ScopedDb, SystemDb } from './tables.ts'
import type { CommitWithError, SystemTx, Tx } from './unit-of-work.ts'

/**
 * Who may call.
 * - a permission, or several of which one is enough: a member or a secret key that holds it;
 * - `tenant`: any caller inside an institute, with whatever permissions, any API key included;
 * - `owner`: a member with the owner's role;
 * - `publishable`: a publishable key from one of its origins;
 * - `user`: a signed-in user, with or without an institute chosen;
 * - `platform`: a platform admin;
 * - `anyone`: no credential is looked at.
 */
export type TenantAccess = Permission | readonly Permission[] | 'tenant' | 'owner' | 'publishable'
export type OpenAccess = 'user' | 'platform' | 'anyone'
export type Access = TenantAccess | OpenAccess

type Schema = v.GenericSchema
// oxlint-disable-next-line typescript/no-explicit-any
type ObjectSchema = v.ObjectSchema<any, any> | v.SchemaWithPipe<readonly [v.ObjectSchema<any, any>, ...any[]]>
/** What a change takes. */
type BodyKind = Schema | Form | UploadKind
/** What an endpoint gives; null: nothing. */
type ReplyKind = Schema | ContentKind | RedirectKind | null
type Output<S> = S extends Form<infer F> ? v.InferOutput<F> : S extends Schema ? v.InferOutput<S> : undefined
/** An upload is read before the transaction, and nowhere else. */
type PrepareInput<S> = S extends UploadKind ? Upload : Output<S>
type Reply<S> = S extends ContentKind
  ? Content
  : S extends RedirectKind
    ? Redirect
    : S extends Schema
      ? v.InferInput<S>
      : undefined | void

/**
 * The parameters of a path such as `/students/{id}`. Every one is a UUID unless `params` says otherwise. `{name*}`, at the
 * end, is all that follows.
 */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name extends `${infer Bare}*` ? Bare : Name]: string } & PathParams<Rest>
  : unknown

/** Opaque positions in one list. */
export interface Cursors {
  encode(position: (string | number)[]): string
  /** @throws VALIDATION_ERROR for a cursor that this list did not give out */
  decode(cursor: string): (string | number)[]
}

/** What every handler knows of the request besides its input. */
export interface RequestInfo {
  requestId: string
  ip: string
  /** What limits count the address as. */
  network: string
  userAgent: string | null
  /** Address of the peer that is connected, whoever it says to speak for. */
  peer: string
  httpVersion: string
  /** The headers that a handler may read. */
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  /** Sets an HttpOnly, SameSite=Strict cookie, Secure behind HTTPS; no value clears it. */
  setCookie(name: string, value: string | null, options: { path: string; maxAgeSeconds: number }): void
}

interface Input<Path extends string, Q, B> {
  params: PathParams<Path>
  query: Output<Q>
  body: B
  request: RequestInfo
}

interface TenantContext {
  caller: Caller
  tenant: TenantInfo
}
interface TenantReadContext extends TenantContext {
  /** Committed rows that the caller reaches. */
  db: ScopedDb
  /** Committed rows of the whole institute. */
  whole: ScopedDb
  now: string
  /** Makes and reads the cursors of this list. */
  cursors: Cursors
}
interface OpenContext {
  /** null for `anyone`. */
  caller: Caller | null
}
interface OpenReadContext extends OpenContext {
  /** What is inside no institute. */
  db: OutsideDb
  /** All of the database, for the few that cannot name an institute. */
  everywhere: SystemDb
  /** Committed rows of an institute. */
  inTenant(tenant: Pick<TenantInfo, 'id'>): ScopedDb
  now: string
  cursors: Cursors
}

/** How often an endpoint may be asked, beside what every caller is held to. */
export interface EndpointLimit {
  /** Counted for each network that requests come from, whoever sends them, or for each credential. */
  per: 'network' | 'caller'
  requests: number
  seconds: number
}

interface EndpointSpec<Path extends string, Q, R> {
  /** `<module>.<verb>`, unique; the audit entry's action and the OpenAPI operationId. */
  id: string
  /** Below /api/v1; one that begins with two slashes lies at the server's root. */
  path: Path
  summary: string
  /** Choices that the contract leaves open are written down here. */
  description?: string
  query?: Q
  /** null: the reply has no body. */
  reply: R
  /** Default: 200, and 302 for a redirect. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Other statuses with which the same reply may come, by `new OtherStatus(…)`. */
  otherStatuses?: readonly number[]
  /** No rate limit counts it: probes and pages. */
  unlimited?: boolean
  /** Its own limits (429), once the credential is known to be good. */
  limits?: readonly EndpointLimit[]
  /** A page, or what it is made of: the OpenAPI document, which is for programs, leaves it out. */
  forPeople?: boolean
  /** The domain's own refusals, beside those that the kernel derives. */
  fails?: readonly Failure[]
  /** The permission must be held for the whole institute: for records that no branch owns. */
  wholeTenant?: boolean
  /**
   * Signed-in members come without the permission, too, for what is their own: `db` reaches nothing for them, and the
   * handler finds what is theirs through `whole`, or refuses with FORBIDDEN.
   */
  ownToo?: boolean
  flag?: FeatureFlag
  /** This deployment has switched it off: what every caller meets, whatever they send. */
  closed?: Failure | undefined
  /** Path parameters that are no UUID. */
  params?: Record<string, Schema>
  /** Goes on working while the tenant is locked or its subscription has ended. */
  lockExempt?: boolean
  /** Headers of the reply, named for the OpenAPI document. */
  replyHeaders?: Record<string, string>
}

interface ChangeSpec<B> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: B
  /** A body may be left out altogether, and then counts as {}. */
  bodyOptional?: boolean
  /** The reply carries a secret: it is sealed where it is kept for idempotent repeats, and never audited. */
  secretReply?: boolean
}

/** A reply whose status is not the endpoint's usual one. */
export class OtherStatus<T> {
  readonly status: number
  readonly reply: T

  constructor(status: number, reply: T) {
    this.status = status
    this.reply = reply
  }
}

/** Headers of a reply to a change, which tell of what is in place once it was committed. */
type HeadersAfter<Path extends string, R> = (
  context: TenantReadContext & { params: PathParams<Path>; reply: Reply<R> },
) => Promise<Record<string, string>>

type Result<R> = Reply<R> | OtherStatus<Reply<R>> | CommitWithError

/** An endpoint as the pipeline sees it, its types erased. */
export interface Endpoint {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly access: Access
  readonly wholeTenant: boolean
  readonly ownToo: boolean
  readonly flag: FeatureFlag | undefined
  readonly closed: Failure | undefined
  readonly params: Readonly<Record<string, Schema>>
  readonly query: Schema | undefined
  /** Of a body that is JSON or a form. */
  readonly body: Schema | undefined
  readonly bodyOptional: boolean
  readonly takes: 'json' | 'form' | UploadKind
  /** Of a reply that is JSON. */
  readonly reply: Schema | null
  readonly gives: 'json' | 'redirect' | ContentKind
  readonly status: number
  readonly otherStatuses: readonly number[]
  readonly unlimited: boolean
  readonly limits: readonly EndpointLimit[]
  readonly forPeople: boolean
  readonly fails: readonly Failure[]
  readonly lockExempt: boolean
  readonly secretReply: boolean
  readonly replyHeaders: Readonly<Record<string, string>>
  readonly kind: 'read' | 'change' | 'openRead' | 'openChange'
  // oxlint-disable-next-line typescript/no-explicit-any -- erased: the constructors below are typed
  readonly handle: (context: any) => Promise<unknown>
  /** Slow work (hashing, network) before the transaction. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly prepare: ((context: any) => Promise<unknown>) | undefined
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly headersAfter: ((context: any) => Promise<Record<string, string>>) | undefined
}

const bodyOf = (body: BodyKind | undefined): Pick<Endpoint, 'body' | 'takes'> => {
  if (body === undefined || !('takes' in body)) return { body, takes: 'json' }
  return body.takes === 'form' ? { body: body.schema, takes: 'form' } : { body: undefined, takes: body }
}

const replyOf = (reply: ReplyKind): Pick<Endpoint, 'reply' | 'gives'> => {
  if (reply === null || !('gives' in reply)) return { reply, gives: 'json' }
  return { reply: null, gives: reply.gives === 'redirect' ? 'redirect' : reply }
}

const declare = (
  kind: Endpoint['kind'],
  spec: EndpointSpec<string, Schema | undefined, ReplyKind> & {
    method?: Endpoint['method']
    access: Access
    body?: BodyKind | undefined
    bodyOptional?: boolean
    secretReply?: boolean
    // oxlint-disable-next-line typescript/no-explicit-any
    handle: (context: any) => Promise<unknown>
    // oxlint-disable-next-line typescript/no-explicit-any
    prepare?: ((context: any) => Promise<unknown>) | undefined
    // oxlint-disable-next-line typescript/no-explicit-any
    headersAfter?: ((context: any) => Promise<Record<string, string>>) | undefined
  },
): Endpoint => ({
  id: spec.id,
  method: spec.method ?? 'GET',
  path: spec.path,
  summary: spec.summary,
  description: spec.description ?? '',
  access: spec.access,
  wholeTenant: spec.wholeTenant ?? false,
  ownToo: spec.ownToo ?? false,
  flag: spec.flag,
  closed: spec.closed,
  params: spec.params ?? {},
  query: spec.query,
  ...bodyOf(spec.body),
  bodyOptional: spec.bodyOptional ?? false,
  ...replyOf(spec.reply),
  status: spec.status ?? (spec.reply !== null && 'gives' in spec.reply && spec.reply.gives === 'redirect' ? 302 : 200),
  otherStatuses: spec.otherStatuses ?? [],
  unlimited: spec.unlimited ?? false,
  limits: spec.limits ?? [],
  forPeople: spec.forPeople ?? false,
  fails: spec.fails ?? [],
  lockExempt: spec.lockExempt ?? false,
  secretReply: spec.secretReply ?? false,
  replyHeaders: spec.replyHeaders ?? {},
  kind,
  handle: spec.handle,
  prepare: spec.prepare,
  headersAfter: spec.headersAfter,
})

/** A GET inside one institute. */
export const read = <
  const Path extends string,
  R extends NonNullable<ReplyKind>,
  Q extends ObjectSchema | undefined = undefined,
>(
  spec: EndpointSpec<Path, Q, R> & {
    access: TenantAccess
    handle: (context: Input<Path, Q, undefined> & TenantReadContext) => Promise<Reply<R> | OtherStatus<Reply<R>>>
  },
): Endpoint => declare('read', spec)

/** Runs a transaction of its own before the main one. */
export type Begin = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

/** A change inside one institute: its handler runs in one transaction, after `prepare` has done what is slow. */
export const change = <
  const Path extends string,
  R extends Schema | null,
  B extends BodyKind | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  P = undefined,
>(
  spec: EndpointSpec<Path, Q, R> &
    ChangeSpec<B> & {
      access: TenantAccess
      prepare?: (context: Input<Path, Q, PrepareInput<B>> & TenantReadContext & { begin: Begin }) => Promise<P>
      handle: (context: Input<Path, Q, Output<B>> & TenantContext & { tx: Tx; prepared: P }) => Promise<Result<R>>
      /**
       * Asked for once the change is committed, and again for a repeat with the same Idempotency-Key: that is told what
       * holds by then. Where it fails, the reply goes without: the change was made.
       */
      headersAfter?: HeadersAfter<Path, R>
    },
): Endpoint => declare('change', spec)

/** A GET outside any institute. */
export const openRead = <
  const Path extends string,
  R extends NonNullable<ReplyKind>,
  Q extends ObjectSchema | undefined = undefined,
>(
  spec: EndpointSpec<Path, Q, R> & {
    access: OpenAccess
    handle: (context: Input<Path, Q, undefined> & OpenReadContext) => Promise<Reply<R> | OtherStatus<Reply<R>>>
  },
): Endpoint => declare('openRead', spec)

/** A change outside any one institute. */
export const openChange = <
  const Path extends string,
  R extends Schema | null,
  B extends BodyKind | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  P = undefined,
>(
  spec: EndpointSpec<Path, Q, R> &
    ChangeSpec<B> & {
      access: OpenAccess
      prepare?: (context: Input<Path, Q, PrepareInput<B>> & OpenReadContext & { begin: Begin }) => Promise<P>
      handle: (context: Input<Path, Q, Output<B>> & OpenContext & { tx: SystemTx; prepared: P }) => Promise<Result<R>>
    },
): Endpoint => declare('openChange', spec)
