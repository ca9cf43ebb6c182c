import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isIP } from 'node:net'
import { calculateJwkThumbprint, exportJWK, FlattenedSign, generateKeyPair, importJWK, type JWK } from 'jose'
import * as v from 'valibot'
import type { Outbound, OutboundAnswer } from '#ports/outbound/port.ts'
import type { HttpsReason } from './state-file.ts'

/**
 * Orders a certificate of an authority that speaks ACME (RFC 8555): as much as proving one name takes, over HTTP (HTTP-01), for
 * addresses too (RFC 8738), or by a record of the DNS (DNS-01). The signatures are jose's.
 */

/** No certificate came of it. */
export class OrderFailed extends Error {
  readonly reason: HttpsReason
  /** What was seen, in English, for whoever looks after the server. */
  readonly detail: string

  constructor(reason: HttpsReason, detail: string) {
    super(`${reason}: ${detail}`)
    this.name = 'OrderFailed'
    this.reason = reason
    this.detail = detail
  }
}

/** How a name is proven. Each shows the proof until the function that it returns is called. */
export type Proof =
  /** At /.well-known/acme-challenge/TOKEN. */
  | { type: 'http-01'; show(token: string, answer: string): () => void }
  /** As TXT at `_acme-challenge.` of the name. @throws OrderFailed where it cannot be shown */
  | { type: 'dns-01'; show(digest: string): Promise<() => Promise<void>> }

export interface OrderDeps {
  /** The address of the authority’s directory. */
  directory: string
  outbound: Outbound
  /** The account’s key, as a JWK in JSON. */
  accountKey: string
  proof: Proof
  /** Ends the waits. */
  signal: AbortSignal
}

const ALGORITHM = 'ES256'
const DEADLINE_MS = 20_000
const MOST_BYTES = 256 * 1024
/** Used up or too old: the authority sends another one along. */
const NONCE_TRIES = 3
const LOOKS = 60
const LOOK_SECONDS = 2
const MOST_SECONDS = 10
/** Certificates of six days, the only ones that there are for addresses. */
const FOR_ADDRESSES = 'shortlived'

const Problem = v.object({ type: v.optional(v.string(), ''), detail: v.optional(v.string(), '') })
const Directory = v.object({
  newNonce: v.string(),
  newAccount: v.string(),
  newOrder: v.string(),
  meta: v.optional(v.object({ profiles: v.optional(v.record(v.string(), v.unknown())) })),
})
const Order = v.object({
  status: v.string(),
  authorizations: v.array(v.string()),
  finalize: v.string(),
  certificate: v.optional(v.string()),
  error: v.optional(Problem),
})
const Authorization = v.object({
  status: v.string(),
  challenges: v.array(
    v.object({ type: v.string(), url: v.string(), token: v.optional(v.string()), error: v.optional(Problem) }),
  ),
})

const REASONS: Readonly<Record<string, HttpsReason>> = {
  connection: 'not_reached',
  dns: 'name_leads_nowhere',
  unauthorized: 'other_answers',
  incorrectResponse: 'other_answers',
  rateLimited: 'too_often',
  rejectedIdentifier: 'name_refused',
  unsupportedIdentifier: 'name_refused',
  caa: 'name_refused',
}

const isNonceTrouble = ({ type }: v.InferOutput<typeof Problem>): boolean => type.endsWith(':badNonce')

const failedBy = ({ type, detail }: v.InferOutput<typeof Problem>): OrderFailed => {
  const kind = type.slice(type.lastIndexOf(':') + 1)
  return new OrderFailed(REASONS[kind] ?? 'authority', `${kind}: ${detail}`.slice(0, 500))
}

/** @throws OrderFailed where it is not what the protocol says */
const parsed = <S extends v.GenericSchema>(schema: S, body: Buffer): v.InferOutput<S> => {
  try {
    return v.parse(schema, JSON.parse(body.toString('utf8')))
  } catch {
    throw new OrderFailed('authority', `An answer cannot be read: ${body.toString('utf8', 0, 200)}`)
  }
}

/** A key of an account, as a JWK in JSON. */
export const makeAccountKey = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

class Session {
  readonly #deps: OrderDeps
  readonly #key: JWK
  readonly #directory: v.InferOutput<typeof Directory>
  #nonce: string | undefined
  #account: string | undefined

  private constructor(deps: OrderDeps, key: JWK, directory: v.InferOutput<typeof Directory>) {
    this.#deps = deps
    this.#key = key
    this.#directory = directory
  }

  static async open(deps: OrderDeps): Promise<Session> {
    const answer = await deps.outbound.get({
      url: deps.directory,
      headers: {},
      deadlineMs: DEADLINE_MS,
      maxResponseBytes: MOST_BYTES,
    })
    if (answer.status === null) throw new OrderFailed('unreachable', answer.error)
    if (!answer.ok) throw new OrderFailed('authority', `Its directory answers ${answer.status}.`)
    const session = new Session(deps, JSON.parse(deps.accountKey) as JWK, parsed(Directory, answer.body))
    // An account that there is already is found by its key.
    const { headers } = await session.#post(session.#directory.newAccount, { termsOfServiceAgreed: true })
    session.#account = headers?.location
    return session
  }

  /** The public half, in the order that a thumbprint asks for. */
  get #publicKey(): JWK {
    const { crv, kty, x, y } = this.#key
    return { crv, kty, x, y } as JWK
  }

  async #freshNonce(): Promise<string> {
    const answer = await this.#deps.outbound.get({
      url: this.#directory.newNonce,
      headers: {},
      deadlineMs: DEADLINE_MS,
      reads: ['replay-nonce'],
    })
    if (answer.status === null) throw new OrderFailed('unreachable', answer.error)
    const nonce = answer.headers?.['replay-nonce']
    if (nonce === undefined) throw new OrderFailed('authority', 'It gives no nonce.')
    return nonce
  }

  /** @param content undefined: it reads only @throws OrderFailed */
  async #post(url: string, content: object | undefined, tries = NONCE_TRIES): Promise<OutboundAnswer> {
    const nonce = this.#nonce ?? (await this.#freshNonce())
    const who = this.#account === undefined ? { jwk: this.#publicKey } : { kid: this.#account }
    const text = content === undefined ? '' : JSON.stringify(content)
    const signed = await new FlattenedSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: ALGORITHM, nonce, url, ...who })
      .sign(await importJWK(this.#key, ALGORITHM))
    const answer = await this.#deps.outbound.post({
      url,
      headers: { 'Content-Type': 'application/jose+json' },
      body: JSON.stringify(signed),
      deadlineMs: DEADLINE_MS,
      maxResponseBytes: MOST_BYTES,
      reads: ['replay-nonce', 'location'],
    })
    if (answer.status === null) throw new OrderFailed('unreachable', answer.error)
    this.#nonce = answer.headers?.['replay-nonce']
    if (answer.ok) return answer
    const problem = parsed(Problem, answer.body)
    if (isNonceTrouble(problem) && tries > 1) return this.#post(url, content, tries - 1)
    throw failedBy(problem)
  }

  /** Asks until it is no longer pending. @throws OrderFailed */
  async #settled<S extends v.GenericSchema<unknown, { status: string }>>(
    url: string,
    schema: S,
    isSettled: (status: string) => boolean,
  ): Promise<v.InferOutput<S>> {
    for (let look = 0; look < LOOKS; look += 1) {
      const { body, retryAfter } = await this.#post(url, undefined)
      const seen = parsed(schema, body)
      if (isSettled(seen.status)) return seen
      const seconds = Math.min(Number(retryAfter) || LOOK_SECONDS, MOST_SECONDS)
      await pause(seconds * 1000, undefined, { signal: this.#deps.signal, ref: false })
    }
    throw new OrderFailed('authority', 'It does not come to an end.')
  }

  async #prove(url: string): Promise<void> {
    const { status, challenges } = parsed(Authorization, (await this.#post(url, undefined)).body)
    if (status === 'valid') return
    const { proof } = this.#deps
    const challenge = challenges.find(({ type }) => type === proof.type)
    if (challenge?.token === undefined) throw new OrderFailed('name_refused', `It offers no proof by ${proof.type}.`)
    const { token } = challenge
    const answer = `${token}.${await calculateJwkThumbprint(this.#publicKey)}`
    const withdraw = await (proof.type === 'http-01'
      ? proof.show(token, answer)
      : proof.show(createHash('sha256').update(answer).digest('base64url')))
    try {
      await this.#post(challenge.url, {})
      const after = await this.#settled(url, Authorization, (now) => now !== 'pending')
      if (after.status === 'valid') return
      const why = after.challenges.find(({ error }) => error !== undefined)?.error
      throw why ? failedBy(why) : new OrderFailed('authority', `The name is ${after.status}.`)
    } finally {
      await withdraw()
    }
  }

  /** @returns the certificate with its chain, in PEM @throws OrderFailed */
  async order(name: string, makeRequest: () => Promise<Buffer>): Promise<string> {
    const isAddress = isIP(name) !== 0
    const hasShort = this.#directory.meta?.profiles?.[FOR_ADDRESSES] !== undefined
    const made = await this.#post(this.#directory.newOrder, {
      identifiers: [{ type: isAddress ? 'ip' : 'dns', value: name }],
      ...(isAddress && hasShort && { profile: FOR_ADDRESSES }),
    })
    const url = made.headers?.location
    if (url === undefined) throw new OrderFailed('authority', 'It does not say where the order is.')
    const { authorizations, finalize } = parsed(Order, made.body)
    for (const one of authorizations) await this.#prove(one)
    await this.#settled(url, Order, (now) => now !== 'pending')
    const request = await makeRequest()
    await this.#post(finalize, { csr: request.toString('base64url') })
    const done = await this.#settled(url, Order, (now) => now !== 'processing' && now !== 'ready')
    if (done.certificate === undefined) {
      throw done.error ? failedBy(done.error) : new OrderFailed('authority', `The order is ${done.status}.`)
    }
    return (await this.#post(done.certificate, undefined)).body.toString('utf8')
  }
}

/** @returns the certificate with its chain, in PEM @throws OrderFailed */
export const orderCertificate = async (
  deps: OrderDeps,
  { name, makeRequest }: { name: string; makeRequest: () => Promise<Buffer> },
): Promise<string> => (await Session.open(deps)).order(name, makeRequest)
