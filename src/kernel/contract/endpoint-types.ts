import type * as v from 'valibot'
import type { Content, ContentKind, Form, Redirect, RedirectKind, Upload, UploadKind } from '#kernel/values/media.ts'
import type { Locale } from '#shared/locale.ts'

/** What the type of an endpoint's input and reply follows from: its schemas, and the parameters of its path. */

export type Schema = v.GenericSchema
// oxlint-disable-next-line typescript/no-explicit-any
export type ObjectSchema = v.ObjectSchema<any, any> | v.SchemaWithPipe<readonly [v.ObjectSchema<any, any>, ...any[]]>
/** What the body of a change may be. */
export type BodyKind = Schema | Form | UploadKind
/** What a reply may be; null: the endpoint replies without a body. */
export type ReplyKind = Schema | ContentKind | RedirectKind | null
export type Output<S> = S extends Form<infer F> ? v.InferOutput<F> : S extends Schema ? v.InferOutput<S> : undefined
/** The body that `prepare` gets. An upload is read there, before the transaction, and nowhere else. */
export type PrepareInput<S> = S extends UploadKind ? Upload : Output<S>
export type ReplyOf<S> = S extends ContentKind
  ? Content
  : S extends RedirectKind
    ? Redirect
    : S extends Schema
      ? v.InferInput<S>
      : undefined | void

/**
 * The parameters of a path such as `/students/{id}`. Each is a UUID unless `params` declares it otherwise. `{name*}` at
 * the end of a path matches the whole rest of it.
 */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name extends `${infer Bare}*` ? Bare : Name]: string } & PathParams<Rest>
  : unknown

/** A rate limit of one endpoint, in addition to the limit of each caller. */
export interface EndpointLimit {
  /** Whether requests are counted per network (no matter who sends them) or per credential. */
  per: 'network' | 'caller'
  requests: number
  seconds: number
  /**
   * Only changes that are kept count: what is refused, and what repeats an earlier one, takes nothing. The handler counts
   * them, in the transaction that keeps the change. Default: every request counts, before anything else is known of it.
   */
  counts?: 'kept'
}

export interface PacedSpec {
  /**
   * How many of these requests of one institute start in a second. The others wait for their turn, for up to five
   * seconds, or are refused (429). For endpoints that strangers may call: the rest of the processor's time is left to
   * the institute's own people, however many strangers come at once.
   */
  startsPerSecond?: number
}

/** What a handler knows about the request besides its input. */
export interface RequestInfo {
  requestId: string
  ip: string
  /** The network that rate limits count the address under: the IPv4 address itself, or the /64 of an IPv6 address. */
  network: string
  userAgent: string | null
  /** The host name that the client opened and chose: from Host, or X-Forwarded-Host behind a trusted proxy. */
  host: string
  /** Scheme and host of the same address. A client can name any: what others will read must not begin with it. */
  origin: string
  /** The address at the other end of the connection: a proxy's, when there is one. */
  peer: string
  httpVersion: string
  /** The first of the program's languages that Accept-Language names, in the client's order; else the usual one. */
  locale(usual: Locale): Locale
  /** Returns a request header; undefined: it is missing or empty. */
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  /** Sets a cookie that is HttpOnly, SameSite=Strict and, over HTTPS, Secure. null deletes the cookie. */
  setCookie(name: string, value: string | null, options: { path: string; maxAgeSeconds: number }): void
}
