import { createHash } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Content, Encoding } from '#kernel/values/media.ts'
import { once } from '#kernel/basics/once.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

/** What all pages and their files share: anybody may read them, and no rate limit counts it. */
export const OPEN = { access: 'anyone', unlimited: true, forPeople: true } as const

export const OWN_PARTS_ONLY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const SAFE_HEADERS = {
  // Links in mails carry a token in their address: never send it to another site.
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** Compression does not make smaller files arrive sooner. */
const WORTH_COMPRESSING_BYTES = 64 * 1024

/** Runs in the thread pool, once for each encoding. The first request waits for it, so the quality is not the highest. */
const COMPRESS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(gzip),
}

/** @param packed gives the body as Brotli has compressed it, where that is kept */
const compressor = (body: Buffer, packed?: () => Buffer): ((encoding: Encoding) => Promise<Buffer>) => {
  const made = new Map<Encoding, Promise<Buffer>>()
  if (packed) made.set('br', Promise.resolve(packed()))
  return (encoding) => {
    const compressed = made.get(encoding) ?? COMPRESS[encoding](body)
    made.set(encoding, compressed)
    return compressed
  }
}

/** What one address of the program's own pages shows. */
export interface PageFile {
  body: Buffer
  /** Media type. */
  type: string
  /** Its ETag. */
  tag: string
  compressed: Content['compressed']
}

/** The ETag of these bytes, in quotes. */
export const tagOf = (body: Buffer | string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** A file of the program's own pages, which is made when somebody asks for it first: the program starts without them. */
export interface ServedFile {
  /** Media type. */
  type: string
  get: () => PageFile
}

/**
 * @param name its ending says what it is
 * @param make runs once
 * @param packed see `compressor`
 */
export const servedFile = (
  name: string,
  make: () => Buffer | string,
  { packed }: { packed?: () => Buffer } = {},
): ServedFile => {
  const type = TYPES[path.extname(name)] ?? 'application/octet-stream'
  const get = once((): PageFile => {
    const body = Buffer.from(make())
    return {
      body,
      type,
      tag: tagOf(body),
      compressed: body.length < WORTH_COMPRESSING_BYTES && !packed ? undefined : compressor(body, packed),
    }
  })
  return { type, get }
}

/** @param policy the Content-Security-Policy */
export const shown = ({ body, type, tag, compressed }: PageFile, policy = OWN_PARTS_ONLY): Content => ({
  body,
  type,
  etag: tag,
  ...(compressed && { compressed }),
  headers: { ...SAFE_HEADERS, 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' },
})
