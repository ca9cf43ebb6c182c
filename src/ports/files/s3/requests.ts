import { createHash } from 'node:crypto'
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import aws4 from 'aws4'
import { StorageProblem } from '#kernel/values/errors.ts'
import { hostOf, originOf, type S3Settings } from './settings.ts'

/** Something at the store refuses or fails. Its message has no address and no key in it. */
export class StoreTrouble extends StorageProblem {
  /** The store's own word, such as AccessDenied, or that of the connection, such as ECONNREFUSED. */
  readonly code: string

  /** Where the bucket is, when the store says that it is elsewhere. */
  readonly region: string | undefined

  constructor(code: string, { region, ...options }: ErrorOptions & { region?: string | undefined } = {}) {
    super(`the object store ${wordsOf(code)}`, options)
    this.name = 'StoreTrouble'
    this.code = code
    this.region = region
  }
}

const REFUSALS = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'RequestTimeTooSkewed'])

const wordsOf = (code: string): string => {
  if (REFUSALS.has(code)) return `refuses (${code}): institute doctor says what to do`
  if (code === 'NoSuchBucket') return 'has no such bucket: institute doctor says what to do'
  return `does not answer as it should (${code})`
}

export interface StoreRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS'
  /** The key in the bucket; without it the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Buffer
  /** How often it is sent at the most while the store fails. Default: 4. */
  attempts?: number
}

const PAUSES = [200, 700, 2000]
/** How long one attempt may take until its reply begins, without its body. */
const REPLY_MILLIS = 10_000
/** The slowest that a body may go out. */
const BYTES_PER_MILLI = 100
/** A reply that stops for this long is broken off. */
const SILENCE_MILLIS = 30_000

const FAILING = new Set([429, 500, 502, 503, 504])

const CODE = /<Code>(\w{1,64})<\/Code>/

/** The word for an error of a reply's body, or else for its status. */
export const codeIn = (body: string, status: number): string => CODE.exec(body)?.[1] ?? `HTTP ${status}`

const regionIn = ({ headers }: IncomingMessage, body: string): string | undefined => {
  const said = headers['x-amz-bucket-region'] ?? /<Region>([\w-]{1,64})<\/Region>/.exec(body)?.[1]
  return typeof said === 'string' && /^[\w-]{1,64}$/.test(said) ? said : undefined
}

interface Signable {
  method: string
  key?: string | undefined
  query?: Readonly<Record<string, string>> | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** Which address of a host is connected to. @throws StoreTrouble where there is none, or none that may be */
export type AddressOf = (host: string) => Promise<string>

/** Signs requests to one bucket with AWS Signature Version 4, and sends them. */
export class Bucket {
  readonly #settings: S3Settings
  readonly #host: string
  readonly #origin: string
  readonly #agent: http.Agent
  readonly #addressOf: AddressOf | undefined

  /** @param addressOf undefined: any that the system finds, as for a store that the settings name */
  constructor(settings: S3Settings, addressOf?: AddressOf) {
    this.#settings = settings
    this.#addressOf = addressOf
    this.#host = hostOf(settings)
    this.#origin = originOf(settings)
    const pool = { keepAlive: true, maxSockets: 64, scheduling: 'lifo' as const }
    this.#agent = settings.isPlain ? new http.Agent(pool) : new https.Agent(pool)
  }

  get name(): string {
    return this.#settings.bucket
  }

  /** An address that whoever has it may use until `seconds` after `now`. @param headers those that must be sent with it */
  address({ now, seconds, ...request }: Signable & { now: string; seconds: number }): string {
    const query = {
      ...request.query,
      'X-Amz-Date': now.replaceAll(/[:-]|\.\d{3}/g, ''),
      'X-Amz-Expires': String(seconds),
    }
    const signed = aws4.sign({ ...this.#toSign({ ...request, query }), signQuery: true }, this.#credentials())
    return `${this.#origin}${signed.path}`
  }

  /**
   * Sends a request, again while the store fails, and returns its reply, whose body the caller reads.
   * @throws StoreTrouble for a reply that is not one of `expected`
   */
  async send(request: StoreRequest, expected: readonly number[]): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      const mayRetry = attempt < (request.attempts ?? PAUSES.length + 1)
      try {
        const reply = await this.#sendOnce(request)
        const status = reply.statusCode ?? 0
        if (expected.includes(status)) return reply
        const body = await text(reply).catch(() => '')
        if (!FAILING.has(status) || !mayRetry) {
          throw new StoreTrouble(codeIn(body, status), { region: regionIn(reply, body) })
        }
      } catch (error) {
        if (error instanceof StoreTrouble || !mayRetry) throw asTrouble(error)
      }
      // Those that failed together do not come back together.
      await pause((PAUSES[attempt - 1] ?? 0) * (0.75 + Math.random() / 2))
    }
  }

  /** Sends a request and reads the reply's body. @throws StoreTrouble, also for an error in the body of a 200 */
  async ask(
    request: StoreRequest,
    expected: readonly number[] = [200],
  ): Promise<{ status: number; body: string; reply: IncomingMessage }> {
    const reply = await this.send(request, expected)
    const body = await text(reply).catch((error: unknown) => {
      throw asTrouble(error)
    })
    // A copy, and the end of an upload in parts, may fail after the status has been sent.
    if (reply.statusCode === 200 && /<Error>/.test(body)) throw new StoreTrouble(codeIn(body, 200))
    return { status: reply.statusCode ?? 0, body, reply }
  }

  /** Asks as a browser does whether a page of this origin may send a file. @throws StoreTrouble where nothing answers */
  async asksLeave(origin: string): Promise<boolean> {
    const headers = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    }
    const reply = await this.#sendOnce({ method: 'OPTIONS', key: 'institute', headers }).catch((error: unknown) => {
      throw asTrouble(error)
    })
    reply.resume()
    const allowed = reply.headers['access-control-allow-origin']
    return (reply.statusCode ?? 0) < 300 && (allowed === '*' || allowed === origin)
  }

  close(): void {
    this.#agent.destroy()
  }

  #credentials() {
    const { keyId, secret } = this.#settings
    return { accessKeyId: keyId, secretAccessKey: secret }
  }

  #toSign({ method, key, query = {}, headers = {} }: Signable) {
    const { bucket, region, isVirtual } = this.#settings
    const pairs = Object.entries(query).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    )
    const parts = [...(isVirtual ? [] : [bucket]), ...(key === undefined ? [] : [key])]
    const path = `/${parts.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
    return { service: 's3', region, method, host: this.#host, path, headers: { host: this.#host, ...headers } }
  }

  async #sendOnce(request: StoreRequest): Promise<IncomingMessage> {
    const { method, body = Buffer.alloc(0) } = request
    const hash = createHash('sha256').update(body).digest('hex')
    const hasBody = method === 'PUT' || method === 'POST'
    const headers = {
      ...request.headers,
      ...(hasBody && { 'content-length': String(body.length) }),
      'x-amz-content-sha256': hash,
    }
    const signed = aws4.sign(this.#toSign({ ...request, headers }), this.#credentials())
    const { host, hostname, port } = new URL(this.#origin)
    const name = hostname.replaceAll(/^\[|\]$/g, '')
    const address = (await this.#addressOf?.(name)) ?? name
    return new Promise((resolve, reject) => {
      const client = this.#settings.isPlain ? http : https
      const sending = client.request({
        agent: this.#agent,
        host: address,
        port,
        ...(!this.#settings.isPlain && isIP(name) === 0 && { servername: name }),
        method,
        path: signed.path,
        headers: { ...(signed.headers as OutgoingHttpHeaders), host },
      })
      const limit = setTimeout(
        () => sending.destroy(Object.assign(new Error('no reply in time'), { code: 'ETIMEDOUT' })),
        REPLY_MILLIS + body.length / BYTES_PER_MILLI,
      )
      sending.on('error', (error) => {
        clearTimeout(limit)
        reject(error)
      })
      sending.once('response', (reply) => {
        clearTimeout(limit)
        reply.setTimeout(SILENCE_MILLIS, () => reply.destroy(new StoreTrouble('ETIMEDOUT')))
        resolve(reply)
      })
      sending.end(body)
    })
  }
}

const asTrouble = (error: unknown): StoreTrouble =>
  error instanceof StoreTrouble
    ? error
    : new StoreTrouble((error as NodeJS.ErrnoException).code ?? 'broken off', { cause: error })
