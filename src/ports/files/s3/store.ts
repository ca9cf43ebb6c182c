import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { ByteRange } from '#kernel/values/media.ts'
import {
  isKey,
  NoSuchFile,
  partsOf,
  type Area,
  type DirectRequest,
  type FileStore,
  type StoredFile,
  type StoredKey,
} from '../port.ts'
import { Bucket, StoreTrouble } from './requests.ts'
import type { S3Settings } from './settings.ts'
import { abortUpload, isMissing, listObjects, putObject, removeObject } from './objects.ts'
import { elements, unescaped } from './xml.ts'

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
    await putObject(this.#bucket, nameOf(key), body, size)
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
    await removeObject(this.#bucket, nameOf(key))
  }

  async *list(area: Area, institute?: string): AsyncGenerator<StoredFile> {
    if (institute === undefined) return
    const prefix = `${institute}/${area}/`
    for await (const { name, size, writtenAt } of listObjects(this.#bucket, prefix)) {
      const key = `s3:${area}/${institute}/${name.slice(prefix.length)}` as StoredKey
      if (isKey(key)) yield { key, size, writtenAt }
    }
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
      if (elements(upload, 'Key')[0] === name && uploadId !== undefined) await abortUpload(this.#bucket, name, uploadId)
    }
  }

  async close(): Promise<void> {
    this.#bucket.close()
  }
}
