import { create as contentDisposition } from 'content-disposition'
import fresh from 'fresh'
import parseRange from 'range-parser'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import { RangeNotSatisfiable } from '#kernel/values/errors.ts'
import { ENCODINGS, type ByteRange, type Content, type Encoding, type Streamed } from '#kernel/values/media.ts'
import type { Reply } from '#http/replies/reply.ts'

type Request = Pick<RequestInfo, 'header'> & {
  method: string
  /** Whether the caller takes a body that is encoded so. */
  accepts(encoding: Encoding): boolean
}

/** Content whose bytes are there. */
type Made = Content & { body: string | Buffer | Streamed }

/** Whether the body is read while it is sent. */
export const isStreamed = ({ body }: Content): boolean => typeof body === 'object' && !Buffer.isBuffer(body)

/** Whether the bytes are in memory. */
const isInMemory = (content: Made): content is Made & { body: string | Buffer } => !isStreamed(content)

const made = async (content: Content): Promise<Made> => {
  const { body } = content
  return { ...content, body: typeof body === 'function' ? await body() : body }
}

const sizeOf = (content: Made): number =>
  isInMemory(content) ? Buffer.byteLength(content.body) : (content.body as Streamed).size

/**
 * Replaces a suffix range that is longer than the content by the whole, which it means (RFC 9110, 14.1.2): the parser
 * would refuse it.
 */
const withinSize = (ranges: string, size: number): string =>
  ranges.replaceAll(/(?<=[=,]\s*)-(\d+)/g, (suffix, length) => (Number(length) > size ? '0-' : suffix))

/**
 * The requested range. The whole content is sent for several ranges, for an invalid Range header, and for a caller who
 * has part of an earlier version (If-Range), as HTTP specifies.
 * @throws RangeNotSatisfiable for a range beyond the end
 */
const rangeOf = ({ etag }: Content, size: number, { method, header }: Request): ByteRange | undefined => {
  const requested = header('range')
  if (requested === undefined || method !== 'GET') return undefined
  const ifRange = header('if-range')
  if (ifRange !== undefined && ifRange !== etag) return undefined
  const ranges = parseRange(size, withinSize(requested, size))
  if (ranges === -1) throw RangeNotSatisfiable({ size }, { 'Content-Range': `bytes */${size}` })
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

const isUnchanged = ({ etag }: Content, { header }: Request): boolean =>
  etag !== undefined && fresh({ 'if-none-match': header('if-none-match') }, { etag })

const bytesToSend = async (content: Made, range: ByteRange | undefined): Promise<Reply['body']> => {
  if (!isInMemory(content)) return (content.body as Streamed).open(range)
  return range ? Buffer.from(content.body).subarray(range.start, range.end + 1) : content.body
}

/** Each way of sending the same bytes has an ETag of its own. */
const encoded = ({ etag, ...content }: Content, encoding: Encoding | undefined): Content => ({
  ...content,
  ...(etag !== undefined && { etag: encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`) }),
  headers: { ...content.headers, Vary: 'Accept-Encoding', ...(encoding && { 'Content-Encoding': encoding }) },
})

/**
 * Makes the reply for content, including HEAD, conditional (304) and range requests.
 * @throws RangeNotSatisfiable, or what opening the content throws
 */
export const contentReply = async (given: Content, status: number, request: Request): Promise<Reply> => {
  const { compressed } = given
  const encoding = compressed && ENCODINGS.find((one) => request.accepts(one))
  const offered = compressed ? encoded(given, encoding) : given
  const { type, etag, download, inline } = offered
  const headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    ...offered.headers,
    'Content-Type': type,
    ...(etag !== undefined && { ETag: etag }),
    ...(download !== undefined && { 'Content-Disposition': contentDisposition(download) }),
    ...(inline !== undefined && { 'Content-Disposition': contentDisposition(inline, { type: 'inline' }) }),
  }
  if (isUnchanged(offered, request)) return { status: 304, headers, body: '' }
  const content = await made(compressed && encoding ? { ...offered, body: () => compressed(encoding) } : offered)
  const size = sizeOf(content)
  const range = rangeOf(content, size, request)
  headers['Accept-Ranges'] = 'bytes'
  headers['Content-Length'] = String(range ? range.end - range.start + 1 : size)
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${size}`
  const isSent = request.method !== 'HEAD'
  return { status: range ? 206 : status, headers, body: isSent ? await bytesToSend(content, range) : '' }
}

/** Whether a body is read while it is sent. */
export const isStream = (body: Reply['body']): boolean => typeof body !== 'string' && !Buffer.isBuffer(body)
