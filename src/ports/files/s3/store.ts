import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { ByteRange } from '#kernel/media.ts'
import {
  isKey,
  NoSuchFile,
  partsOf,
  WrongSize,
  type Area,
  type DirectRequest,
  type FileStore,
  type StoredFile,
  type StoredKey,
} from '../port.ts'
import { Bucket, StoreTrouble } from './requests.ts'
import type { S3Settings } from './settings.ts'
import { elements, unescaped } from './xml.ts'

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

const isMissing = (error: unknown): boolean =>
  error instanceof StoreTrouble && (error.code === 'NoSuchKey' || error.code === 'HTTP 404')

/** The name of a file in the bucket: that of its institute comes first, so that no listing crosses institutes. */
const nameOf = (key: StoredKey): string => {
  const { area, institute, id } = partsOf(key)
  return `${institute}/${area}/${id}`
}

/**
 * Stores files in a bucket of any S3-compatible store. A file is there when the store has answered, completely or not
 * at all: a long one goes in parts, which become a file with the last request.
 */
export class S3Files implements FileStore {
  readonly home = 's3'
  readonly #bucket: Bucket

  constructor(settings: S3Settings) {
    this.#bucket = new Bucket(settings)
  }

  get bucket(): Bucket {
    return this.#bucket
  }

  address(key: StoredKey, request: DirectRequest): string {
    const { now, seconds } = request
    const common = { key: nameOf(key), now, seconds }
    if (request.method === 'PUT') {
      const headers = { 'content-length': String(request.size), 'content-type': request.type }
      return this.#bucket.address({ ...common, method: 'PUT', headers })
    }
    const query = {
      'response-content-disposition': contentDisposition(request.name),
      'response-content-type': request.type,
      'response-cache-control': 'no-store',
    }
    return this.#bucket.address({ ...common, method: 'GET', query })
  }

  async put(key: StoredKey, body: AsyncIterable<Uint8Array>, size?: number): Promise<void> {
    const name = nameOf(key)
    if (size !== undefined && size <= WHOLE_BYTES) return this.#putWhole(name, await whole(body, size))
    await this.#putInParts(name, body, size)
  }

  async copy(from: StoredKey, to: StoredKey): Promise<void> {
    const source = `/${this.#bucket.name}/${nameOf(from)}`
    const request = { method: 'PUT', key: nameOf(to), headers: { 'x-amz-copy-source': source } } as const
    await this.#bucket.ask(request).catch((error: unknown) => {
      throw isMissing(error) ? new NoSuchFile(from) : error
    })
  }

  async open(key: StoredKey, range?: ByteRange): Promise<Readable> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` }
    const request = { method: 'GET', key: nameOf(key), ...(headers && { headers }) } as const
    return this.#bucket.send(request, range ? [206] : [200]).catch((error: unknown) => {
      throw isMissing(error) ? new NoSuchFile(key) : error
    })
  }

  async size(key: StoredKey): Promise<number | undefined> {
    const { status, reply } = await this.#bucket.ask({ method: 'HEAD', key: nameOf(key) }, [200, 404])
    return status === 404 ? undefined : Number(reply.headers['content-length'])
  }

  async remove(key: StoredKey): Promise<void> {
    await this.#bucket.ask({ method: 'DELETE', key: nameOf(key) }, [200, 204]).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  async *list(area: Area, institute?: string): AsyncGenerator<StoredFile> {
    if (institute === undefined) return
    const prefix = `${institute}/${area}/`
    let token: string | undefined
    do {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
      const { body } = await this.#bucket.ask({ method: 'GET', query })
      for (const found of elements(body, 'Contents')) {
        const [name = '', size, writtenAt = ''] = ['Key', 'Size', 'LastModified'].map((of) => elements(found, of)[0])
        const key = `s3:${area}/${institute}/${name.slice(prefix.length)}` as StoredKey
        if (isKey(key)) yield { key, size: Number(size), writtenAt: new Date(writtenAt).toISOString() }
      }
      token = elements(body, 'NextContinuationToken').map(unescaped)[0]
    } while (token !== undefined)
  }

  /** What was begun here goes with its key. */
  async sweepUnfinished(): Promise<void> {}

  async discardUnfinished(key: StoredKey): Promise<void> {
    const name = nameOf(key)
    const { body } = await this.#bucket
      .ask({ method: 'GET', query: { uploads: '', prefix: name } })
      .catch((error: unknown) => {
        // A store that cannot list them ends them by a rule of its own.
        if (error instanceof StoreTrouble && error.code === 'NotImplemented') return { body: '' }
        throw error
      })
    for (const upload of elements(body, 'Upload')) {
      const uploadId = elements(upload, 'UploadId').map(unescaped)[0]
      if (elements(upload, 'Key')[0] === name && uploadId !== undefined) await this.#abort(name, uploadId)
    }
  }

  async close(): Promise<void> {
    this.#bucket.close()
  }

  async #putWhole(key: string, body: Buffer): Promise<void> {
    await this.#bucket.ask({ method: 'PUT', key, body, headers: { 'content-md5': md5(body) } })
  }

  async #putInParts(key: string, body: AsyncIterable<Uint8Array>, size: number | undefined): Promise<void> {
    const { body: begun } = await this.#bucket.ask({ method: 'POST', key, query: { uploads: '' } })
    const uploadId = elements(begun, 'UploadId').map(unescaped)[0]
    if (uploadId === undefined) throw new StoreTrouble('no UploadId')
    try {
      const tags: string[] = []
      let bytes = 0
      for await (const part of inParts(body, (number) => (number < LARGE_FROM ? PART_BYTES : LARGE_PART_BYTES))) {
        bytes += part.length
        if (size !== undefined && bytes > size) throw new WrongSize()
        const query = { partNumber: String(tags.length + 1), uploadId }
        const { reply } = await this.#bucket.ask({
          method: 'PUT',
          key,
          query,
          body: part,
          headers: { 'content-md5': md5(part) },
        })
        tags.push(reply.headers.etag ?? '')
      }
      if (size !== undefined && bytes !== size) throw new WrongSize()
      if (tags.length === 0) {
        await this.#abort(key, uploadId)
        await this.#putWhole(key, Buffer.alloc(0))
        return
      }
      await this.#join(key, uploadId, { tags, bytes })
    } catch (error) {
      await this.#abort(key, uploadId).catch(() => {})
      throw error
    }
  }

  async #join(key: string, uploadId: string, { tags, bytes }: { tags: string[]; bytes: number }): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    try {
      await this.#bucket.ask({ method: 'POST', key, query: { uploadId }, body })
    } catch (error) {
      // The reply to an attempt that did it was lost: the next one finds no upload any more, and the file.
      if (!(error instanceof StoreTrouble) || error.code !== 'NoSuchUpload') throw error
      const { status, reply } = await this.#bucket.ask({ method: 'HEAD', key }, [200, 404])
      if (status !== 200 || Number(reply.headers['content-length']) !== bytes) throw error
    }
  }

  async #abort(key: string, uploadId: string): Promise<void> {
    await this.#bucket.ask({ method: 'DELETE', key, query: { uploadId } }, [200, 204]).catch((error: unknown) => {
      if (!(error instanceof StoreTrouble) || error.code !== 'NoSuchUpload') throw error
    })
  }
}
