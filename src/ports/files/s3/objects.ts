import { createHash } from 'node:crypto'
import { WrongSize } from '../port.ts'
import { StoreTrouble, type Bucket } from './requests.ts'
import { elements, unescaped } from './xml.ts'

/** Objects of a bucket by their names. */

const MEGABYTE = 1024 * 1024
/** Files of a known size up to this one go in one request, which is repeated when it fails. */
const WHOLE_BYTES = 32 * MEGABYTE
/** Stores take 10,000 parts. Later parts are larger, so that 500 GB go in. */
const PART_BYTES = 8 * MEGABYTE
const LARGE_PART_BYTES = 64 * MEGABYTE
const LARGE_FROM = 2000

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64')

/** Yields buffers of the size that `sizeOf` says for each; the last one may be shorter. */
async function* inParts(body: AsyncIterable<Uint8Array>, sizeOf: (part: number) => number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let part = 1
  for await (const chunk of body) {
    for (let rest = chunk; rest.length > 0;) {
      const taken = rest.subarray(0, sizeOf(part) - bytes)
      waiting.push(taken)
      bytes += taken.length
      rest = rest.subarray(taken.length)
      if (bytes === sizeOf(part)) {
        yield Buffer.concat(waiting)
        waiting = []
        bytes = 0
        part += 1
      }
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

/** Reads a stream of exactly `size` bytes. @throws WrongSize */
const whole = async (body: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > size) throw new WrongSize()
    chunks.push(chunk)
  }
  if (bytes !== size) throw new WrongSize()
  return Buffer.concat(chunks)
}

/** An object that a listing found. */
export interface FoundObject {
  name: string
  size: number
  writtenAt: string
}

/** The pages of a listing, as the store writes them. @throws StoreTrouble */
async function* listing(bucket: Bucket, asked: Readonly<Record<string, string>>, attempts?: number) {
  let token: string | undefined
  do {
    const query = { 'list-type': '2', ...asked, ...(token !== undefined && { 'continuation-token': token }) }
    const { body } = await bucket.ask({ method: 'GET', query, ...(attempts !== undefined && { attempts }) })
    // Whatever else is at an address answers too.
    if (!body.includes('<ListBucketResult')) throw new StoreTrouble('NoListing')
    yield body
    token = elements(body, 'NextContinuationToken').map(unescaped)[0]
  } while (token !== undefined)
}

const objectsIn = (body: string): FoundObject[] =>
  elements(body, 'Contents').map((found) => {
    const [name = '', size, writtenAt = ''] = ['Key', 'Size', 'LastModified'].map((of) => elements(found, of)[0])
    return { name: unescaped(name), size: Number(size), writtenAt: new Date(writtenAt).toISOString() }
  })

/** All objects whose names begin with `prefix`, page by page. @throws StoreTrouble */
export async function* listObjects(bucket: Bucket, prefix: string): AsyncGenerator<FoundObject> {
  for await (const body of listing(bucket, { prefix })) yield* objectsIn(body)
}

/** What lies right in a folder: objects, and the names of the folders in it. */
export interface FoundInFolder {
  objects: FoundObject[]
  folders: string[]
}

/**
 * What lies right in a folder.
 * @param under its name with a slash, or nothing
 * @param attempts how often each page is asked for where the store fails
 * @throws StoreTrouble
 */
export const listFolder = async (bucket: Bucket, under: string, attempts?: number): Promise<FoundInFolder> => {
  const found: FoundInFolder = { objects: [], folders: [] }
  for await (const body of listing(bucket, { prefix: under, delimiter: '/' }, attempts)) {
    found.objects.push(...objectsIn(body))
    const prefixes = elements(body, 'CommonPrefixes').flatMap((one) => elements(one, 'Prefix'))
    found.folders.push(...prefixes.map((prefix) => unescaped(prefix).slice(under.length, -1)))
  }
  return found
}

/** Removes an object; one that is not there is no error. @throws StoreTrouble */
export const removeObject = async (bucket: Bucket, key: string): Promise<void> => {
  await bucket.ask({ method: 'DELETE', key }, [200, 204]).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

/** Whether the store said that it has no such object. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StoreTrouble && (error.code === 'NoSuchKey' || error.code === 'HTTP 404')

const putWhole = async (bucket: Bucket, key: string, body: Buffer): Promise<void> => {
  await bucket.ask({ method: 'PUT', key, body, headers: { 'content-md5': md5(body) } })
}

/** Ends an upload in parts, and frees what came of it. */
export const abortUpload = async (bucket: Bucket, key: string, uploadId: string): Promise<void> => {
  await bucket.ask({ method: 'DELETE', key, query: { uploadId } }, [200, 204]).catch((error: unknown) => {
    if (!(error instanceof StoreTrouble) || error.code !== 'NoSuchUpload') throw error
  })
}

interface Sent {
  tags: readonly string[]
  bytes: number
}

const joinParts = async (bucket: Bucket, key: string, uploadId: string, { tags, bytes }: Sent): Promise<void> => {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  try {
    await bucket.ask({ method: 'POST', key, query: { uploadId }, body })
  } catch (error) {
    // The reply to an attempt that did it was lost: the next one finds no upload any more, and the file.
    if (!(error instanceof StoreTrouble) || error.code !== 'NoSuchUpload') throw error
    const { status, reply } = await bucket.ask({ method: 'HEAD', key }, [200, 404])
    if (status !== 200 || Number(reply.headers['content-length']) !== bytes) throw error
  }
}

const putInParts = async (
  bucket: Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  size: number | undefined,
): Promise<void> => {
  const { body: begun } = await bucket.ask({ method: 'POST', key, query: { uploads: '' } })
  const uploadId = elements(begun, 'UploadId').map(unescaped)[0]
  if (uploadId === undefined) throw new StoreTrouble('no UploadId')
  try {
    const tags: string[] = []
    let bytes = 0
    for await (const part of inParts(body, (number) => (number < LARGE_FROM ? PART_BYTES : LARGE_PART_BYTES))) {
      bytes += part.length
      if (size !== undefined && bytes > size) throw new WrongSize()
      const query = { partNumber: String(tags.length + 1), uploadId }
      const headers = { 'content-md5': md5(part) }
      const { reply } = await bucket.ask({ method: 'PUT', key, query, body: part, headers })
      tags.push(reply.headers.etag ?? '')
    }
    if (size !== undefined && bytes !== size) throw new WrongSize()
    if (tags.length === 0) {
      await abortUpload(bucket, key, uploadId)
      await putWhole(bucket, key, Buffer.alloc(0))
      return
    }
    await joinParts(bucket, key, uploadId, { tags, bytes })
  } catch (error) {
    await abortUpload(bucket, key, uploadId).catch(() => {})
    throw error
  }
}

/**
 * Writes an object, whole or not at all: a long one, or one of unknown length, goes in parts, which become an object with
 * the last request.
 * @param size in bytes; undefined: not known
 * @throws WrongSize for a body of another size, StoreTrouble
 */
export const putObject = async (
  bucket: Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  size?: number,
): Promise<void> => {
  if (size !== undefined && size <= WHOLE_BYTES) await putWhole(bucket, key, await whole(body, size))
  else await putInParts(bucket, key, body, size)
}
