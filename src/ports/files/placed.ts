import type { Readable } from 'node:stream'
import { StorageProblem } from '#kernel/values/errors.ts'
import type { ByteRange } from '#kernel/values/media.ts'
import {
  partsOf,
  type Area,
  type DirectRequest,
  type FileStore,
  type StoragePlace,
  type StoredFile,
  type StoredKey,
} from './port.ts'

/** The files of a program that has a bucket beside its disk: each key says where its file is. */
export class PlacedFiles implements FileStore {
  readonly home: StoragePlace
  readonly #stores: Readonly<Partial<Record<StoragePlace, FileStore>>>

  constructor(stores: { disk: FileStore; s3?: FileStore }) {
    this.#stores = stores
    this.home = stores.s3 ? 's3' : 'disk'
  }

  async put(key: StoredKey, body: AsyncIterable<Uint8Array>, size?: number): Promise<void> {
    await this.#of(key).put(key, body, size)
  }

  async copy(from: StoredKey, to: StoredKey): Promise<void> {
    const [source, target] = [this.#of(from), this.#of(to)]
    if (source === target) return source.copy(from, to)
    await target.put(to, await source.open(from), await source.size(from))
  }

  async open(key: StoredKey, range?: ByteRange): Promise<Readable> {
    return this.#of(key).open(key, range)
  }

  async size(key: StoredKey): Promise<number | undefined> {
    return this.#stores[partsOf(key).place]?.size(key)
  }

  async remove(key: StoredKey): Promise<void> {
    await this.#of(key).remove(key)
  }

  async *list(area: Area, institute?: string): AsyncGenerator<StoredFile> {
    for (const store of Object.values(this.#stores)) yield* store.list(area, institute)
  }

  address(key: StoredKey, request: DirectRequest): string | undefined {
    return this.#stores[partsOf(key).place]?.address(key, request)
  }

  async sweepUnfinished(before: string): Promise<void> {
    for (const store of Object.values(this.#stores)) await store.sweepUnfinished(before)
  }

  async discardUnfinished(key: StoredKey): Promise<void> {
    await this.#of(key).discardUnfinished(key)
  }

  async close(): Promise<void> {
    for (const store of Object.values(this.#stores)) await store.close()
  }

  /** @throws StorageProblem for a file in a bucket that the settings no longer name */
  #of(key: StoredKey): FileStore {
    const store = this.#stores[partsOf(key).place]
    if (!store) throw new StorageProblem('the file is in a bucket, and INSTITUTE_S3_URL is not set')
    return store
  }
}
