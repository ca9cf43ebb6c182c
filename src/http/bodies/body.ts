import type { IncomingMessage, ServerResponse } from 'node:http'
import { Malformed, Overloaded, type ApiError } from '#kernel/values/errors.ts'

export const MAX_BODY_BYTES = 1024 * 1024
/** The limit for endpoints that take no credential. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024

export interface BodySettings {
  /** The time in which a whole body must arrive. */
  bodySeconds: number
  /** The memory for all bodies that are being read or processed at one time, and for those of one network. */
  bodyBytesInAll: number
  bodyBytesPerNetwork: number
}

const TRY_AGAIN = { 'Retry-After': '1' }

/** The memory overhead of a chunk: a body may arrive in chunks of one byte. */
const CHUNK_OVERHEAD_BYTES = 256

const malformed = (reason: string): ApiError => Malformed({ reason })
const tooLarge = (limit: number): ApiError => malformed(`The body is larger than ${limit} bytes.`)

/** Reads a body into one buffer. @param take called with the memory of each chunk; it may throw to refuse the body */
const readWhole = (
  request: IncomingMessage,
  { limit, millis, take }: { limit: number; millis: number; take(bytes: number): void },
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (request.destroyed) throw malformed('The body broke off.')
    const pieces: Buffer[] = []
    let length = 0
    const end = (settle: () => void): void => {
      clearTimeout(late)
      request.off('data', add).off('end', complete).off('close', broken)
      settle()
    }
    const refuse = (error: Error): void => end(() => reject(error))
    const add = (piece: Buffer): void => {
      length += piece.length
      try {
        take(piece.length + CHUNK_OVERHEAD_BYTES)
        if (length > limit) throw tooLarge(limit)
        pieces.push(piece)
      } catch (error) {
        refuse(error as Error)
      }
    }
    const complete = (): void => end(() => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)))
    const broken = (): void => refuse(malformed('The body broke off.'))
    const late = setTimeout(() => refuse(malformed(`The body took longer than ${millis / 1000} seconds.`)), millis)
    request.on('data', add).on('end', complete).on('close', broken)
  })

export interface BufferedBody {
  bytes: Buffer
  /** Call it when the bytes are no longer needed. */
  release(): void
}

/** Reads bodies into memory, within a memory limit for all of them and for each network. */
export class BodyReader {
  readonly #settings: BodySettings
  readonly #bufferedBytes = new Map<string, number>()
  #totalBufferedBytes = 0

  constructor(settings: BodySettings) {
    this.#settings = settings
  }

  /**
   * Reads the body of a request. Its bytes count against the memory limits until they are released.
   * @param network the network of the caller, as rate limits count it
   * @throws MALFORMED_REQUEST when it exceeds `limit`, breaks off or takes too long; Overloaded when a memory limit is
   *   reached
   */
  async read(
    request: IncomingMessage,
    response: ServerResponse,
    { network, limit }: { network: string; limit: number },
  ): Promise<BufferedBody> {
    // Check this first, before the client is told to send the body.
    if (Number(request.headers['content-length']) > limit) throw tooLarge(limit)
    if (request.headers.expect !== undefined) response.writeContinue()
    let buffered = 0
    const release = (): void => this.#release(network, buffered)
    const take = (bytes: number): void => {
      buffered += bytes
      if (!this.#count(network, bytes)) throw Overloaded(undefined, TRY_AGAIN)
    }
    try {
      return { bytes: await readWhole(request, { limit, millis: this.#settings.bodySeconds * 1000, take }), release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Counts bytes that are in memory now. @returns whether they are within the limits */
  #count(network: string, bytes: number): boolean {
    const ofNetwork = (this.#bufferedBytes.get(network) ?? 0) + bytes
    this.#bufferedBytes.set(network, ofNetwork)
    this.#totalBufferedBytes += bytes
    return this.#totalBufferedBytes <= this.#settings.bodyBytesInAll && ofNetwork <= this.#settings.bodyBytesPerNetwork
  }

  #release(network: string, bytes: number): void {
    const left = (this.#bufferedBytes.get(network) ?? 0) - bytes
    if (left > 0) this.#bufferedBytes.set(network, left)
    else this.#bufferedBytes.delete(network)
    this.#totalBufferedBytes -= bytes
  }
}
