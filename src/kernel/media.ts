import type * as v from 'valibot'

/** What endpoints take and give beside JSON. */

/** A body as HTML forms send it: application/x-www-form-urlencoded. Its values are text; the schema says what they must be. */
export interface Form<S extends v.GenericSchema = v.GenericSchema> {
  readonly takes: 'form'
  readonly schema: S
}

export const form = <S extends v.GenericSchema>(schema: S): Form<S> => ({ takes: 'form', schema })

/** A body of any bytes, which is never held in memory as a whole. */
export interface UploadKind {
  readonly takes: 'upload'
  /** Media types, in lower case and without parameters; `any`: whatever type is sent. */
  readonly types: readonly string[] | 'any'
  readonly maxBytes: number
}

export const upload = (spec: Omit<UploadKind, 'takes'>): UploadKind => ({ ...spec, takes: 'upload' })

/** What `prepare` gets of an upload. */
export interface Upload {
  /** Media type as it was sent, in lower case and without parameters; the empty string: none was. */
  type: string
  /** Bytes, as Content-Length says. */
  length: number
  /** Gives exactly `length` bytes, or fails with the refusal that the caller is to meet. */
  stream: AsyncIterable<Uint8Array>
}

/** A reply other than JSON: a stored file, a script, a page. */
export interface ContentKind {
  readonly gives: 'content'
  /** Media types that it may have, without parameters. */
  readonly types: readonly string[]
}

export const content = (types: readonly string[]): ContentKind => ({ gives: 'content', types })

/** A part of something, in bytes from its beginning; `end` is the last of them. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes that are read while they are sent. */
export interface Streamed {
  size: number
  /** All of them, or a part. Whoever asked for it may go away before its end. */
  open(range?: ByteRange): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

export interface Content {
  /** Media type, with its parameters. */
  type: string
  body: string | Buffer | Streamed
  /** Quoted, as the header ETag is. Whoever has this already is answered with 304. */
  etag?: string
  /** Browsers save it under this name and do not show it. */
  download?: string
  /** Beside what follows from the rest. Default of Cache-Control: no-store. */
  headers?: Readonly<Record<string, string>>
}

/** A reply that leads elsewhere. */
export interface RedirectKind {
  readonly gives: 'redirect'
}

export const redirect: RedirectKind = { gives: 'redirect' }

export interface Redirect {
  location: string
  headers?: Readonly<Record<string, string>>
}
