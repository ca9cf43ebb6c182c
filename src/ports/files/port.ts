import type { Readable } from 'node:stream'
import type { ByteRange } from '#kernel/values/media.ts'

/**
 * The areas of the storage. `uploads`: files that callers sent and that are not checked yet. `objects`: checked files
 * that have a record; an object is never overwritten. `exports`: archives that the program makes, and can make again.
 */
export type Area = 'uploads' | 'objects' | 'exports'

/** Where a file is: in the data directory, or in the bucket of an object store. */
export const STORAGE_PLACES = ['disk', 's3'] as const
export type StoragePlace = (typeof STORAGE_PLACES)[number]

type PathOfKey = `${Area}/${string}/${string}`

/**
 * `<area>/<institute>/<id>`, behind `s3:` for a file in a bucket; institute and id are UUIDs. Adapters refuse all other
 * forms, so that a key cannot lead out of its area.
 */
export type StoredKey = PathOfKey | `s3:${PathOfKey}`

/** The key of a file. */
export const keyOf = (place: StoragePlace, area: Area, institute: string, id: string): StoredKey =>
  `${place === 's3' ? 's3:' : ''}${area}/${institute}/${id}` as StoredKey

/** What a signed address at the store itself is for. It is good for `seconds` from `now`, an ISO instant. */
export type DirectRequest = { now: string; seconds: number } & (
  | { method: 'PUT'; size: number; type: string }
  /** Browsers save the file under `name`. */
  | { method: 'GET'; name: string; type: string }
)

export interface StoredFile {
  key: StoredKey
  size: number
  /** When the bytes were written, as an ISO instant. */
  writtenAt: string
}

/**
 * Stores files. When the storage cannot accept a file now (full, read-only, unreachable), a method throws
 * StorageProblem and leaves nothing behind.
 */
export interface FileStore {
  /** Where new files go, unless their institute was moved elsewhere. */
  readonly home: StoragePlace
  /**
   * Stores a stream of exactly `size` bytes under a key, or of any size, replacing what was there. When it resolves, the file is
   * complete and survives a power cut; when it throws, nothing was stored.
   * @throws WrongSize, or what the stream throws
   */
  put(key: StoredKey, body: AsyncIterable<Uint8Array>, size?: number): Promise<void>
  /**
   * Stores the bytes of `from` under the key `to` as well; the copy survives a power cut. Later changes of `from` do
   * not affect it.
   * @throws NoSuchFile when `from` does not exist
   */
  copy(from: StoredKey, to: StoredKey): Promise<void>
  /**
   * Opens a file, or a range of it, for reading. Removing the file does not interrupt the stream. @throws NoSuchFile
   */
  open(key: StoredKey, range?: ByteRange): Promise<Readable>
  /** The size in bytes; undefined: there is no such file. */
  size(key: StoredKey): Promise<number | undefined>
  /** Removes a file. It is no error when the file does not exist. */
  remove(key: StoredKey): Promise<void>
  /**
   * The files of an area, in any order, of one institute or, on a disk, of all: a bucket may be shared, and nothing lists
   * it across institutes.
   */
  list(area: Area, institute?: string): AsyncIterable<StoredFile>
  /** An address at which the store itself takes or gives the bytes; undefined: the program does. */
  address(key: StoredKey, request: DirectRequest): string | undefined
  /** Removes the remains of interrupted `put` calls that began before this ISO instant. */
  sweepUnfinished(before: string): Promise<void>
  /** Removes the remains of `put` calls of one key, whenever they began. A call that still runs fails. */
  discardUnfinished(key: StoredKey): Promise<void>
  /** Ends its connections. */
  close(): Promise<void>
}

/** There is no file under the key. */
export class NoSuchFile extends Error {
  constructor(key: StoredKey) {
    super(`there is no file ${key}`)
    this.name = 'NoSuchFile'
  }
}

/** A stream did not have the announced number of bytes. */
export class WrongSize extends Error {
  constructor() {
    super('the stream had another size than was said')
    this.name = 'WrongSize'
  }
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const FORM = new RegExp(`^(s3:)?(uploads|objects|exports)/(${UUID})/(${UUID})$`)

/** Splits a key into its parts, for adapters. @throws Error when it is not a key */
export const partsOf = (key: string): { place: StoragePlace; area: Area; institute: string; id: string } => {
  const [, inBucket, area, institute, id] = FORM.exec(key) ?? []
  if (area === undefined || institute === undefined || id === undefined) throw new Error('this is no key of a file')
  return { place: inBucket === undefined ? 'disk' : 's3', area: area as Area, institute, id }
}

/** Whether a text is a key of a file, for adapters. */
export const isKey = (text: string): text is StoredKey => FORM.test(text)
