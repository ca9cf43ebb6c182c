import * as v from 'valibot'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { httpUrl, text } from '#kernel/values/schema.ts'
import type { PolicedOutbound } from '#ports/outbound/port.ts'
import { hostOf, isRedirectUri } from './redirect-uris.ts'

/** Client-ID metadata documents: the client id is the https address of a document in which the client describes itself. */

/** A program that asks to act for a user. */
export interface OAuthClient {
  clientId: string
  name: string
  uri: string | null
  redirectUris: readonly string[]
  /** Whether its own metadata document describes it; otherwise nobody checked what it says of itself. */
  verified: boolean
}

const MAX_BYTES = 16 * 1024
const DEADLINE_MS = 5000
/** How long a document is used before it is fetched again. */
const FRESH_MS = 10 * 60_000

const RedirectUris = v.pipe(
  v.array(v.pipe(v.string(), v.check(isRedirectUri, 'Must be a redirect URI.'))),
  v.minLength(1),
  v.maxLength(50),
)

const Document = v.object({
  client_id: v.string(),
  client_name: v.optional(text(200)),
  client_uri: v.optional(httpUrl),
  redirect_uris: RedirectUris,
  grant_types: v.optional(v.pipe(v.array(v.string()), v.includes('authorization_code'))),
  response_types: v.optional(v.pipe(v.array(v.string()), v.includes('code'))),
  token_endpoint_auth_method: v.optional(v.literal('none')),
})

/** Whether a client id is the address of a document: in the one spelling that URL parsers make, with a path. */
const isDocumentAddress = (clientId: string): boolean => {
  const url = URL.parse(clientId)
  if (url === null || url.protocol !== 'https:' || url.href !== clientId) return false
  return `${url.username}${url.password}${url.hash}` === '' && url.pathname !== '/'
}

const clientIn = (clientId: string, body: Buffer): OAuthClient | undefined => {
  let given: unknown
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
  const { success, output } = v.safeParse(Document, given)
  if (!success || output.client_id !== clientId) return undefined
  return {
    clientId,
    name: output.client_name ?? hostOf(clientId),
    uri: output.client_uri ?? null,
    redirectUris: output.redirect_uris,
    verified: true,
  }
}

/** Fetches documents and caches them for ten minutes. What is refused is not cached. */
export class ClientDocuments {
  readonly #outbound: PolicedOutbound['outbound']
  readonly #clock: Clock
  readonly #cached = new BoundedCache<string, { client: OAuthClient; until: number }>(500)
  readonly #running = new Map<string, Promise<OAuthClient | undefined>>()

  constructor({ outbound }: PolicedOutbound, clock: Clock) {
    this.#outbound = outbound
    this.#clock = clock
  }

  /** @returns undefined when the id is not the address of a document, or the document is refused */
  async find(clientId: string): Promise<OAuthClient | undefined> {
    if (!isDocumentAddress(clientId)) return undefined
    const cached = this.#cached.find(clientId)
    if (cached && cached.until > this.#clock.monotonic()) return cached.client
    const running = this.#running.get(clientId) ?? this.#fetch(clientId)
    this.#running.set(clientId, running)
    try {
      return await running
    } finally {
      this.#running.delete(clientId)
    }
  }

  async #fetch(clientId: string): Promise<OAuthClient | undefined> {
    const answer = await this.#outbound.get({
      url: clientId,
      headers: { accept: 'application/json' },
      deadlineMs: DEADLINE_MS,
      maxResponseBytes: MAX_BYTES,
    })
    if (answer.status !== 200 || answer.truncated) return undefined
    const client = clientIn(clientId, answer.body)
    if (client) this.#cached.set(clientId, { client, until: this.#clock.monotonic() + FRESH_MS })
    return client
  }
}
