import type { Begin } from '#kernel/contract/endpoint.ts'
import { failure } from '#kernel/values/errors.ts'
import { orTooBusy, type Passwords, type QueueClient } from '#ports/passwords/port.ts'
import { chargeAttempt, forgetFailures, withdrawAttempt, type Door } from './lockout.ts'

export const InvalidCredentials = failure(
  'INVALID_CREDENTIALS',
  'invalid_credentials',
  'The email or the password is not right.',
)

interface Claim {
  door: Door
  password: string
  place: QueueClient
  begin: Begin
}

/** Checks passwords, and counts each attempt for the lockout. */
export class PasswordCheck {
  readonly #passwords: Passwords
  /** The last attempt in each queue; a door has one queue for known clients and one for unknown ones. */
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(passwords: Passwords) {
    this.#passwords = passwords
  }

  /**
   * Finds an account and verifies its password. It takes the same time when there is no account, or none with a
   * password. Attempts at one door run one after another, so that a person who signs in on six devices at
   * once is not locked out as a guesser; the database counts attempts across processes. Known and unknown clients wait
   * in separate queues: however long a stranger's attempt takes, known clients do not wait for it.
   * @throws InvalidCredentials, the refusal of a locked door, RATE_LIMITED when too many passwords wait to be checked
   */
  run<A extends { id: string; password_hash: string | null }>(
    claim: Claim,
    find: () => Promise<A | undefined>,
  ): Promise<A & { password_hash: string }> {
    const { door, place } = claim
    return this.#inQueue(`${place.known ? 'known' : 'stranger'} ${door.key}`, () => this.#check(claim, find))
  }

  async #check<A extends { id: string; password_hash: string | null }>(
    { door, password, place, begin }: Claim,
    find: () => Promise<A | undefined>,
  ): Promise<A & { password_hash: string }> {
    const locks = await begin((tx) => chargeAttempt(tx, door))
    const account = await find()
    let matches: boolean
    try {
      matches = await this.#passwords.verify(account?.password_hash ?? null, password, place)
    } catch (error) {
      await begin((tx) => withdrawAttempt(tx, door))
      return orTooBusy(error)
    }
    if (account && account.password_hash !== null && matches) {
      await begin((tx) => forgetFailures(tx, door))
      return { ...account, password_hash: account.password_hash }
    }
    if (locks) {
      await begin(async (tx) =>
        tx.audit({
          action: 'auth.lock',
          entityType: 'user',
          entityId: account?.id ?? null,
          metadata: door.metadata,
        }),
      )
    }
    throw InvalidCredentials()
  }

  #inQueue<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#queues.get(key) ?? Promise.resolve()).then(work)
    const end = turn
      .catch(() => {})
      .then(() => {
        if (this.#queues.get(key) === end) this.#queues.delete(key)
      })
    this.#queues.set(key, end)
    return turn
  }
}
