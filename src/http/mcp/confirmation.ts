import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '#kernel/who/actor.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { RawInput } from '#http/bodies/input.ts'
import { TOKEN_ARGUMENT, type Tool } from './tool.ts'

const PURPOSE = 'mcp-confirmation'
const GOOD_FOR_SECONDS = 600

export interface Confirmation {
  token: string
  expiresAt: string
}

/** What a confirmation is bound to. */
interface Confirmed {
  caller: Caller
  tool: Tool
  raw: RawInput
}

const boundTo = ({ caller, tool, raw: { params, query, body } }: Confirmed, id: string, ends: string): string =>
  JSON.stringify([
    id,
    ends,
    caller.id,
    caller.tenant?.id,
    tool.words.name,
    params,
    query.toString(),
    createHash('sha256').update(body).digest('base64url'),
  ])

/**
 * Tokens by which a person agrees to one change. They are signed and not stored, so every process of a server knows them,
 * and short, because a model copies them. Each is good for one caller, one tool and exactly the arguments it was given for,
 * for ten minutes. Its id is the Idempotency-Key of the change: a token that is used twice changes nothing twice.
 */
export class Confirmations {
  readonly #vault: Vault
  readonly #clock: Clock

  constructor(vault: Vault, clock: Clock) {
    this.#vault = vault
    this.#clock = clock
  }

  give(confirmed: Confirmed): Confirmation {
    const seconds = Math.floor(this.#clock.millis() / 1000) + GOOD_FOR_SECONDS
    const id = randomBytes(12).toString('base64url')
    const ends = seconds.toString(36)
    const tag = this.#vault.tag(PURPOSE, boundTo(confirmed, id, ends))
    return { token: `${id}.${ends}.${tag}`, expiresAt: new Date(seconds * 1000).toISOString() }
  }

  /** @returns the Idempotency-Key of the change @throws VALIDATION_ERROR */
  take(token: string, confirmed: Confirmed): string {
    const [id = '', ends = '', tag = ''] = token.split('.')
    if (!this.#vault.hasTag(PURPOSE, boundTo(confirmed, id, ends), tag)) {
      const problem = 'Was not given to this caller for this tool with these arguments: call without it to get one.'
      throw invalid([TOKEN_ARGUMENT], problem)
    }
    if (Number.parseInt(ends, 36) * 1000 <= this.#clock.millis())
      throw invalid([TOKEN_ARGUMENT], 'Has expired: call without it to get a new one.')
    return `mcp-confirmation-${id}`
  }
}
