import type { Readable } from 'node:stream'
import type { ByteRange } from '#kernel/media.ts'

/**
 * Where bytes lie: `uploads` are what callers sent and nobody has looked at, `objects` what was checked and has a record.
 * What is an object is never written to again.
 */
export type Area = 'uploads' | 'objects'

/** `<area>/<institute>/<id>`, both UUIDs; an adapter refuses every other form, so that no key leads out of its area. */
export type StoredKey = `${Area}/${string}/${string}`

export interface StoredFile {
  key: StoredKey
  size: number
  /** When its bytes were written: ISO instant. */
  writtenAt: string
}

/**
 * Keeps files. Whatever fails because the storage takes nothing now (full, read-only, out of reach) throws StorageProblem
 * and leaves nothing behind.
 */
export interface FileStore {
  /**
   * Keeps a stream of exactly `size` bytes under a key, in the place of what was there; it is there whole, and outlasts a
   * power cut, once this resolves, and not at all when it throws.
   * @throws WrongSize; what the stream itself throws
   */
  put(key: StoredKey, body: AsyncIterable<Uint8Array>, size: number): Promise<void>
  /**
   * Keeps the bytes of `from` under the new key `to`, too, and outlasts a power cut. What comes to lie under `from` later
   * changes nothing there.
   * @throws NoSuchFile when there is nothing under `from`
   */
  copy(from: StoredKey, to: StoredKey): Promise<void>
  /** A stream of the bytes, or some of them; it goes on while the file is removed. @throws NoSuchFile */
  open(key: StoredKey, range?: ByteRange): Promise<Readable>
  /** undefined: there is nothing. */
  size(key: StoredKey): Promise<number | undefined>
  /** Nothing there is as good as removed. */
  remove(key: StoredKey): Promise<void>
  /** Every file of an area, in no order. */
  list(area: Area): AsyncIterable<StoredFile>
  /** Removes what a `put` that never ended has left behind, when it was begun before this ISO instant. */
  sweepUnfinished(before: string): Promise<void>
}

/** There is no file under the key. */
export class NoSuchFile extends Error {
  constructor(key: StoredKey) {
    super(`there is no file ${key}`)
    this.name = 'NoSuchFile'
  }
}

/** A stream had more or fewer bytes than were said. */
export class WrongSize extends Error {
  constructor() {
    super('the stream had another size than was said')
    this.name = 'WrongSize'
  }
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const FORM = new RegExp(`^(uploads|objects)/(${UUID})/(${UUID})$`)

/** The parts of a key, for an adapter. @throws an Error for what is none */
export const partsOf = (key: string): { area: Area; institute: string; id: string } => {
  const [, area, institute, id] = FORM.exec(key) ?? []
  if (area === undefined || institute === undefined || id === undefined) throw new Error('this is no key of a file')
  return { area: area as Area, institute, id }
}
