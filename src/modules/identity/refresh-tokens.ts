import { randomBytes } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { Vault } from '#runtime/vault.ts'

const SESSION_BYTES = 16
const SECRET_BYTES = 32
const BODY_CHARACTERS = ((SESSION_BYTES + SECRET_BYTES) / 3) * 4
const PURPOSE = 'refresh-token'

/**
 * Refresh tokens: the session, 32 random bytes and a tag that only this server can make. So a token that is not the
 * session's present one is known to be an earlier one, however long ago it was rotated, without a list of them.
 */
export class RefreshTokens {
  readonly #vault: Vault

  constructor(vault: Vault) {
    this.#vault = vault
  }

  make(sessionId: string): string {
    const body = Buffer.concat([parse(sessionId), randomBytes(SECRET_BYTES)]).toString('base64url')
    return body + this.#vault.tag(PURPOSE, body)
  }

  /** The session that the token was made for; undefined: not a token of ours. */
  sessionOf(token: string): string | undefined {
    const body = token.slice(0, BODY_CHARACTERS)
    if (!this.#vault.hasTag(PURPOSE, body, token.slice(BODY_CHARACTERS))) return undefined
    return stringify(Buffer.from(body, 'base64url').subarray(0, SESSION_BYTES))
  }
}
