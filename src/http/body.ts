import type { IncomingMessage, ServerResponse } from 'node:http'
import { Malformed, Overloaded, type ApiError } from '#kernel/errors.ts'

export const MAX_BODY_BYTES = 1024 * 1024
/** Of an endpoint that takes no credential. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024

export interface BodySettings {
  /** In which a body has to arrive, however it trickles. */
  bodySeconds: number
  /** Of all bodies that are being read or worked on at one time, and of those from one network. */
  bodyBytesInAll: number
  bodyBytesPerNetwork: number
}

const TRY_AGAIN = { 'Retry-After': '1' }

/** What a piece of a body takes beside its bytes: it may come in pieces of one. */
const CHUNK_OVERHEAD_BYTES = 256

const malformed = (reason: string): ApiError => Malformed({ reason })
const tooLarge = (limit: number): ApiError => malformed(`The body is larger than ${limit} bytes.`)

/** @param take hears how much memory each piece takes, and may refuse it */
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
      request.off('data', add).off('end', whole).off('close', broken)
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
    const whole = (): void => end(() => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)))
    const broken = (): void => refuse(malformed('The body broke off.'))
    const late = setTimeout(() => refuse(malformed(`The body took longer than ${millis / 1000} seconds.`)), millis)
    request.on('data', add).on('end', whole).on('close', broken)
  })

export interface BufferedBody {
  bytes: Buffer
  /** Once nothing is done with them any more. */
  release(): void
}

/** Reads bodies, of which no number and no slowness takes more memory than is set. */
export class BodyReader {
  readonly #settings: BodySettings
  readonly #bufferedBytes = new Map<string, number>()
  #totalBufferedBytes = 0

  constructor(settings: BodySettings) {
    this.#settings = settings
  }

  /**
   * The exact bytes of a request's body, which count as held until they are released.
   * @param network that the caller's address counts as
   * @throws MALFORMED_REQUEST when it is over `limit`, breaks off or is late; Overloaded when too much is being read
   */
  async read(
    request: IncomingMessage,
    response: ServerResponse,
    { network, limit }: { network: string; limit: number },
  ): Promise<BufferedBody> {
    // Before anything of it is asked for or taken.
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

  /** Counts bytes that are in memory now. @returns whether they are within what is set */
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
