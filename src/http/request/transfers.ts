import type { IncomingMessage, ServerResponse } from 'node:http'
import { Malformed, Overloaded } from '#kernel/values/errors.ts'
import type { Upload, UploadKind } from '#kernel/values/media.ts'
import { MIN_BYTES_PER_SECOND } from '#http/replies/connections.ts'

export interface TransferSettings {
  /** The number of concurrent streams (uploads and downloads) in total, and per network. */
  transfersInAll: number
  transfersPerNetwork: number
  /** The longest pause in an upload. */
  bodySeconds: number
}

const TRY_AGAIN = { 'Retry-After': '1' }

/** Limits concurrent streams: each keeps a file open, and a slow one keeps it open for long. */
export class Transfers {
  readonly #settings: TransferSettings
  readonly #ofNetwork = new Map<string, number>()
  #inAll = 0

  constructor(settings: TransferSettings) {
    this.#settings = settings
  }

  /** @returns a function to call when the stream has ended @throws Overloaded when a limit is reached */
  begin(network: string): () => void {
    const ofNetwork = this.#ofNetwork.get(network) ?? 0
    if (this.#inAll >= this.#settings.transfersInAll || ofNetwork >= this.#settings.transfersPerNetwork) {
      throw Overloaded(undefined, TRY_AGAIN)
    }
    this.#inAll += 1
    this.#ofNetwork.set(network, ofNetwork + 1)
    let isUnderWay = true
    return () => {
      if (!isUnderWay) return
      isUnderWay = false
      this.#inAll -= 1
      const left = (this.#ofNetwork.get(network) ?? 1) - 1
      if (left > 0) this.#ofNetwork.set(network, left)
      else this.#ofNetwork.delete(network)
    }
  }

  /**
   * Returns the body of a request as a stream that has not been read yet. Only the chunk in transit is in memory.
   * @throws MALFORMED_REQUEST for another media type, a missing Content-Length, or a body that is too large
   */
  upload(request: IncomingMessage, response: ServerResponse, { types, maxBytes }: UploadKind): Upload {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (types !== 'any' && !types.includes(type)) {
      throw Malformed({ reason: `The body must be sent as one of ${types.join(', ')}.` })
    }
    const { 'content-length': given } = request.headers
    if (given === undefined) throw Malformed({ reason: 'The header Content-Length is missing.' })
    const length = Number(given)
    if (length > maxBytes) throw Malformed({ reason: `The body is larger than ${maxBytes} bytes.` })
    const millis = this.#settings.bodySeconds * 1000
    return { type, length, stream: chunksOf(request, response, { length, millis }) }
  }
}

/** Yields the chunks of a body. @throws MALFORMED_REQUEST when the body breaks off or arrives too slowly */
async function* chunksOf(
  request: IncomingMessage,
  response: ServerResponse,
  { length, millis }: { length: number; millis: number },
): AsyncGenerator<Buffer> {
  if (request.headers.expect !== undefined) response.writeContinue()
  const end = performance.now() + millis + (length / MIN_BYTES_PER_SECOND) * 1000
  // Keep the connection open after a refusal, so that the caller gets the reply.
  const pieces = request.iterator({ destroyOnReturn: false })
  for (;;) {
    const piece = await withTimeout(Math.min(millis, end - performance.now()), nextChunk(pieces))
    if (piece.done) return
    yield piece.value
  }
}

const nextChunk = async (pieces: NodeJS.AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> => {
  try {
    return await pieces.next()
  } catch {
    throw Malformed({ reason: 'The body broke off.' })
  }
}

const withTimeout = <T>(millis: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(Malformed({ reason: 'The body comes too slowly.' })), millis)
    work.then(resolve, reject).finally(() => clearTimeout(late))
  })
