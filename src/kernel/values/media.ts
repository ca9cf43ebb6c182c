import type * as v from 'valibot'

/** Request and reply bodies other than JSON. */

/**
 * A body of type application/x-www-form-urlencoded, as HTML forms send it. All its values are text; the schema converts
 * them.
 */
export interface Form<S extends v.GenericSchema = v.GenericSchema> {
  readonly takes: 'form'
  readonly schema: S
}

export const form = <S extends v.GenericSchema>(schema: S): Form<S> => ({ takes: 'form', schema })

/** A body of arbitrary bytes. It is streamed and never held in memory as a whole. */
export interface UploadKind {
  readonly takes: 'upload'
  /** Allowed media types, in lower case and without parameters; `any`: all of them. */
  readonly types: readonly string[] | 'any'
  readonly maxBytes: number
}

export const upload = (spec: Omit<UploadKind, 'takes'>): UploadKind => ({ ...spec, takes: 'upload' })

/** An upload as `prepare` gets it. */
export interface Upload {
  /** The media type that was sent, in lower case and without parameters; empty: none was sent. */
  type: string
  /** The size in bytes, from Content-Length. */
  length: number
  /** Yields exactly `length` bytes, or throws the refusal for the caller. */
  stream: AsyncIterable<Uint8Array>
}

/** Declares a reply that is not JSON: a stored file, a script, a page. */
export interface ContentKind {
  readonly gives: 'content'
  /** The media types that the reply may have, without parameters. */
  readonly types: readonly string[]
}

export const content = (types: readonly string[]): ContentKind => ({ gives: 'content', types })

/** A range of bytes. `start` counts from 0; `end` is the last byte of the range. */
export interface ByteRange {
  start: number
  end: number
}

/** A body that is read while it is sent. */
export interface Streamed {
  size: number
  /** Opens the whole body, or a range of it. The reader may stop before the end. */
  open(range?: ByteRange): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

/** Ways to send fewer bytes, the one that saves most first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface Content {
  /** The media type, with its parameters. */
  type: string
  /** A function makes the body. It is not called for a caller who has this version already. */
  body: string | Buffer | Streamed | (() => Promise<Buffer>)
  /** The ETag, in quotes. A caller who already has this version gets a 304. */
  etag?: string
  /** Returns the compressed body. It is called for each request, so it should cache its result. */
  compressed?: (encoding: Encoding) => Promise<Buffer>
  /** The file name under which browsers save the reply, instead of showing it. */
  download?: string
  /** The file name under which people save the reply, which browsers show. */
  inline?: string
  /** Additional headers. Cache-Control is no-store unless it is set here. */
  headers?: Readonly<Record<string, string>>
}

/** A reply that redirects. */
export interface RedirectKind {
  readonly gives: 'redirect'
}

export const redirect: RedirectKind = { gives: 'redirect' }

export interface Redirect {
  location: string
  headers?: Readonly<Record<string, string>>
}
