import { randomBytes } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { Vault } from '#runtime/secrets/vault.ts'

const SESSION_BYTES = 16
const SECRET_BYTES = 32
const BODY_CHARACTERS = ((SESSION_BYTES + SECRET_BYTES) / 3) * 4

/**
 * Makes and recognizes refresh tokens: the session's id, 32 random bytes and a tag that only this server can make. So a
 * token with a valid tag that is not the session's current one is an earlier one, however long ago it was rotated; no
 * list of old tokens is needed.
 */
export class RefreshTokens {
  readonly #vault: Vault
  readonly #purpose: string

  /** @param purpose tokens of one purpose are none of another */
  constructor(vault: Vault, purpose = 'refresh-token') {
    this.#vault = vault
    this.#purpose = purpose
  }

  make(sessionId: string): string {
    const body = Buffer.concat([parse(sessionId), randomBytes(SECRET_BYTES)]).toString('base64url')
    return body + this.#vault.tag(this.#purpose, body)
  }

  /** The session of a token; undefined when this server did not make the token. */
  sessionOf(token: string): string | undefined {
    const body = token.slice(0, BODY_CHARACTERS)
    if (!this.#vault.hasTag(this.#purpose, body, token.slice(BODY_CHARACTERS))) return undefined
    return stringify(Buffer.from(body, 'base64url').subarray(0, SESSION_BYTES))
  }
}
