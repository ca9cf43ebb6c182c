import { RateLimited } from '#kernel/errors.ts'
import { countHit, type RateLimits } from '#ports/limits/port.ts'

/** How many mails are sent that somebody else than their reader asked for. */
export interface MailLimits {
  /** Links to an account that anybody can ask for, to one address. */
  linksAnHourToAddress: number
  /** Invitations of every kind and of all institutes, to one address. */
  invitationsAnHourToAddress: number
  /** Invitations of one institute. */
  invitationsAnHour: number
  invitationsADay: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** The inbox behind an address, in lower case: what stands behind a plus is the reader's own sorting. */
const inboxOf = (email: string): string => email.toLowerCase().replace(/(?<=[^@])\+[^@]*(?=@[^@]*$)/, '')

/** Nobody's inbox is filled up from here, whoever asks, from wherever. Counts are of this moment: never in a transaction. */
export class MailBudget {
  readonly #limits: RateLimits
  readonly #most: MailLimits

  constructor(limits: RateLimits, most: MailLimits) {
    this.#limits = limits
    this.#most = most
  }

  /** Whether this address may be sent another link that anybody can ask for; counts it. */
  async mayMailLink(email: string): Promise<boolean> {
    return (await this.#limits.hit(`identity-mail:${inboxOf(email)}`, this.#most.linksAnHourToAddress, HOUR)).allowed
  }

  /**
   * Counts an invitation. One that is refused by one of the limits uses up nothing of the others.
   * @throws RATE_LIMITED with Retry-After
   */
  async countInvitation(tenantId: string, email: string): Promise<void> {
    const { invitationsAnHourToAddress, invitationsAnHour, invitationsADay } = this.#most
    const counts = [
      [`invitation-mail:${inboxOf(email)}`, invitationsAnHourToAddress, HOUR],
      [`invitations-hour:${tenantId}`, invitationsAnHour, HOUR],
      [`invitations-day:${tenantId}`, invitationsADay, DAY],
    ] as const
    for (const [key, limit, seconds] of counts) {
      const { allowed, resetSeconds } = await this.#limits.peek(key, limit, seconds)
      if (!allowed) throw RateLimited(undefined, { 'Retry-After': String(Math.max(1, resetSeconds)) })
    }
    for (const [key, limit, seconds] of counts) await countHit(this.#limits, key, limit, seconds)
  }
}
