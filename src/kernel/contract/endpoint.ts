import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type {
  BodyKind,
  EndpointLimit,
  ObjectSchema,
  Output,
  PacedSpec,
  PathParams,
  PrepareInput,
  ReplyKind,
  ReplyOf,
  RequestInfo,
  Schema,
} from './endpoint-types.ts'
import type { Access, OpenAccess, TenantAccess } from './access.ts'
import type { Credential } from './credential.ts'
import type { Failure } from '#kernel/values/errors.ts'
import type { FeatureFlag } from '#kernel/rights/features.ts'
import type { ContentKind, UploadKind } from '#kernel/values/media.ts'
import type { ListFile } from './list-file.ts'
import type { OtherStatus } from '#kernel/values/other-status.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { OutsideDb, ScopedDb, SystemDb } from './tables.ts'
import type { ChangingTool, ReadingTool, ToolWords } from './tool.ts'
import type { CommitWithError, Marking, SystemTx, Tx } from './unit-of-work.ts'

export type { RequestInfo } from './endpoint-types.ts'

/** Encodes positions in one list as opaque cursors, for keyset pagination. */
export interface Cursors {
  encode(position: (string | number)[]): string
  /** @throws VALIDATION_ERROR for a cursor that does not come from this list */
  decode(cursor: string): (string | number)[]
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
  /** Committed rows that the caller may reach. */
  db: ScopedDb
  /** Committed rows of the whole institute. */
  whole: ScopedDb
  /** Committed rows that the caller reaches by this permission; undefined: the caller does not have it. */
  reachedBy(permission: Permission): Promise<ScopedDb | undefined>
  now: string
  /** Encodes and decodes the cursors of this list. */
  cursors: Cursors
}
interface ReadingContext extends TenantReadContext, Marking {}
interface OpenContext {
  /** null when the access is `anyone`. */
  caller: Caller | null
}
interface OpenReadContext extends OpenContext {
  /** Rows that belong to no institute. */
  db: OutsideDb
  /** All rows of the database, for the few endpoints that cannot name an institute. */
  everywhere: SystemDb
  /** Committed rows of the given institute. */
  inTenant(tenant: Pick<TenantInfo, 'id'>): ScopedDb
  now: string
  cursors: Cursors
}

interface EndpointSpec<Path extends string, Q, R> {
  /** `<module>.<verb>`, unique. It names the action in the audit log and the operationId in the OpenAPI document. */
  id: string
  /** Relative to /api/v1. A path that begins with two slashes is relative to the root of the server. */
  path: Path
  summary: string
  /** For the OpenAPI document. It states what the contract leaves open and this program decides. */
  description?: string
  query?: Q
  /** null: the reply has no body. */
  reply: R
  /** Default: 200, or 302 for a redirect. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Other statuses that the same reply may have; see OtherStatus. */
  otherStatuses?: readonly number[]
  /** Skips the rate limit of anonymous callers: for health probes and pages. */
  unlimited?: boolean
  /** Rate limits of this endpoint (429). They are counted once the credential, if it needs one, is known to be valid. */
  limits?: readonly EndpointLimit[]
  /** Part of a web page. The OpenAPI document, which is written for programs, leaves it out. */
  forPeople?: boolean
  /** The refusals of this endpoint, besides those that follow from its declaration (src/http/replies/derived-failures.ts). */
  fails?: readonly Failure[]
  /** It makes several records: a refusal says by `details.path` which part of the body it is about (`inPart`). */
  hasParts?: boolean
  /** The permission must be held for the whole institute: for records that belong to no branch. */
  wholeTenant?: boolean
  /**
   * Signed-in members may call it without the permission, for records of their own. Their `db` reaches no rows: the
   * handler finds what belongs to them through `whole`, or refuses with FORBIDDEN.
   */
  ownToo?: boolean
  /**
   * Teachers who hold this permission by that role may call it too, for what belongs to the groups that they teach or
   * substitute: their `db` reaches those groups beside what `access` reaches.
   */
  taughtToo?: Permission
  flag?: FeatureFlag
  /** This deployment has disabled the endpoint: every caller who may call it gets this refusal, whatever the input. */
  closed?: Failure | undefined
  /** Schemas of the path parameters that are not UUIDs. */
  params?: Record<string, Schema>
  /** Also works while the institute is locked or its subscription has ended. */
  lockExempt?: boolean
  /** Also for a session without the second factor that a role asks for: to set one up, and to leave. */
  beforeSecondFactor?: true
  /**
   * Also for a session that looks at the institute as a role sees it (`Preview`). Without it, such a session reads what
   * belongs to the institute, and neither what is of the account of whoever looks nor what outlives the session.
   */
  previewedToo?: true
  /** The path from its first parameter on is a secret: the log leaves it out. */
  secretPath?: true
  /**
   * What its reply hands out. The stored reply of an idempotent request is then encrypted, and the audit log leaves it
   * out. Where the credential is lasting, so is the endpoint.
   */
  credential?: Credential
  /**
   * What it sets goes on when the session has ended, such as where events are sent. Only the person alone may, and no
   * platform admin in their name (403, reason impersonated).
   */
  lasting?: true
  /** Headers of the reply, with a description of each for the OpenAPI document. */
  replyHeaders?: Record<string, string>
  /** Pages of every web origin may call it and read the reply: for what takes no cookie and asks no credential. */
  anyOrigin?: boolean
  /** How its list stands in a file; undefined: with a column for each field. */
  asFile?: ListFile
  /**
   * Refusals have the form of OAuth (`{error, error_description}`) in place of the envelope. A failure that the endpoint
   * declares is called by its name, and an input that does not fit the schema by this one.
   */
  oauthErrors?: { invalid: string }
}

interface ChangeSpec<B> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: B
  /** The body may be missing. It then counts as {}. */
  bodyOptional?: boolean
  /** A platform admin may call it in the user's name too, although it changes the own account. */
  impersonatedToo?: true
}

/** Computes reply headers after a change was committed. */
type HeadersAfter<Path extends string, R> = (
  context: TenantReadContext & { params: PathParams<Path>; reply: ReplyOf<R> },
) => Promise<Record<string, string>>

type Result<R> = ReplyOf<R> | OtherStatus<ReplyOf<R>> | CommitWithError

/** An endpoint as the pipeline sees it, without its type parameters. */
export interface Endpoint {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly access: Access
  /**
   * A change of the caller's own account: everybody may make it for themselves (access `user` or `tenant`). It locks the
   * account before it looks at it, and is refused to an impersonated session unless `impersonatedToo`.
   */
  readonly ownAccount: boolean
  readonly impersonatedToo: boolean
  readonly wholeTenant: boolean
  readonly ownToo: boolean
  readonly taughtToo: Permission | undefined
  readonly flag: FeatureFlag | undefined
  readonly closed: Failure | undefined
  readonly params: Readonly<Record<string, Schema>>
  readonly query: Schema | undefined
  /** The schema of a body that is JSON or a form. */
  readonly body: Schema | undefined
  readonly bodyOptional: boolean
  readonly takes: 'json' | 'form' | UploadKind
  /** The schema of a reply that is JSON. */
  readonly reply: Schema | null
  readonly gives: 'json' | 'redirect' | ContentKind
  readonly status: number
  readonly otherStatuses: readonly number[]
  readonly unlimited: boolean
  readonly limits: readonly EndpointLimit[]
  readonly startsPerSecond: number | undefined
  readonly forPeople: boolean
  readonly fails: readonly Failure[]
  readonly hasParts: boolean
  readonly lockExempt: boolean
  readonly beforeSecondFactor: boolean
  readonly previewedToo: boolean
  readonly secretPath: boolean
  readonly credential: Credential | undefined
  readonly lasting: boolean
  readonly replyHeaders: Readonly<Record<string, string>>
  readonly anyOrigin: boolean
  readonly oauthErrors: { readonly invalid: string } | undefined
  readonly asFile: ListFile | undefined
  /** As assistants see it; undefined: it is no tool. */
  readonly tool: ToolWords | undefined
  readonly kind: 'read' | 'change' | 'openRead' | 'openChange'
  // oxlint-disable-next-line typescript/no-explicit-any -- erased: the constructors below are typed
  readonly handle: (context: any) => Promise<unknown>
  /** Slow work (hashing, network calls) that runs before the transaction. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly prepare: ((context: any) => Promise<unknown>) | undefined
  readonly needsPrepare: ((whole: ScopedDb) => Promise<boolean>) | undefined
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
    impersonatedToo?: true
    startsPerSecond?: number
    tool?: ToolWords
    // oxlint-disable-next-line typescript/no-explicit-any
    handle: (context: any) => Promise<unknown>
    // oxlint-disable-next-line typescript/no-explicit-any
    prepare?: ((context: any) => Promise<unknown>) | undefined
    needsPrepare?: Endpoint['needsPrepare']
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
  ownAccount: spec.method !== undefined && (spec.access === 'user' || spec.access === 'tenant'),
  impersonatedToo: spec.impersonatedToo ?? false,
  wholeTenant: spec.wholeTenant ?? false,
  ownToo: spec.ownToo ?? false,
  taughtToo: spec.taughtToo,
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
  startsPerSecond: spec.startsPerSecond,
  forPeople: spec.forPeople ?? false,
  fails: spec.fails ?? [],
  hasParts: spec.hasParts ?? false,
  lockExempt: spec.lockExempt ?? false,
  beforeSecondFactor: spec.beforeSecondFactor ?? false,
  previewedToo: spec.previewedToo ?? false,
  secretPath: spec.secretPath ?? false,
  credential: spec.credential,
  lasting: spec.lasting ?? spec.credential?.lasting ?? false,
  replyHeaders: spec.replyHeaders ?? {},
  anyOrigin: spec.anyOrigin ?? false,
  oauthErrors: spec.oauthErrors,
  asFile: spec.asFile,
  tool: spec.tool,
  kind,
  handle: spec.handle,
  prepare: spec.prepare,
  needsPrepare: spec.needsPrepare,
  headersAfter: spec.headersAfter,
})

/** Declares a GET inside one institute. */
export const read = <
  const Path extends string,
  R extends NonNullable<ReplyKind>,
  Q extends ObjectSchema | undefined = undefined,
>(
  spec: EndpointSpec<Path, Q, R> & {
    access: TenantAccess
    tool?: ReadingTool<Path>
    handle: (context: Input<Path, Q, undefined> & ReadingContext) => Promise<ReplyOf<R> | OtherStatus<ReplyOf<R>>>
  },
): Endpoint => declare('read', spec)

/** Runs a separate transaction before the main one. */
export type Begin = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

/** Declares a change inside one institute. Its handler runs in one transaction, after `prepare` did the slow work. */
export const change = <
  const Path extends string,
  R extends Schema | null,
  B extends BodyKind | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  P = undefined,
>(
  spec: EndpointSpec<Path, Q, R> &
    ChangeSpec<B> &
    PacedSpec & {
      access: TenantAccess
      tool?: ChangingTool<Path>
      prepare?: (context: Input<Path, Q, PrepareInput<B>> & TenantReadContext & { begin: Begin }) => Promise<P>
      /**
       * Whether there is slow work to do, by the committed rows of the institute; without this function, always. Where
       * there is none, one transaction is enough: otherwise the Idempotency-Key is claimed in one of its own first.
       */
      needsPrepare?: undefined extends P ? (whole: ScopedDb) => Promise<boolean> : never
      handle: (context: Input<Path, Q, Output<B>> & TenantContext & { tx: Tx; prepared: P }) => Promise<Result<R>>
      /**
       * Runs after the commit, and again when a request is repeated with the same Idempotency-Key: the headers then
       * describe the current state. If it fails, the reply goes out without these headers, because the change is
       * already made.
       */
      headersAfter?: HeadersAfter<Path, R>
    },
): Endpoint => declare('change', spec)

/** Declares a GET outside any institute. */
export const openRead = <
  const Path extends string,
  R extends NonNullable<ReplyKind>,
  Q extends ObjectSchema | undefined = undefined,
>(
  spec: EndpointSpec<Path, Q, R> & {
    access: OpenAccess
    handle: (context: Input<Path, Q, undefined> & OpenReadContext) => Promise<ReplyOf<R> | OtherStatus<ReplyOf<R>>>
  },
): Endpoint => declare('openRead', spec)

/**
 * Declares a change that is not limited to one institute. Only who sends no credential gets a page for a reply: it is
 * not stored for repeats of the request.
 */
export const openChange = <
  const Path extends string,
  R extends Schema | ContentKind | null,
  B extends BodyKind | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  P = undefined,
>(
  spec: EndpointSpec<Path, Q, R> &
    ChangeSpec<B> & {
      access: R extends ContentKind ? 'anyone' : OpenAccess
      prepare?: (
        context: Input<Path, Q, PrepareInput<B>> &
          OpenReadContext & {
            begin: Begin
            /** The body exactly as it was sent, to check a signature over it. */
            bytes: Uint8Array
          },
      ) => Promise<P>
      handle: (context: Input<Path, Q, Output<B>> & OpenContext & { tx: SystemTx; prepared: P }) => Promise<Result<R>>
    },
): Endpoint => declare('openChange', spec)
