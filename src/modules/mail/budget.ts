import { RateLimited } from '#kernel/values/errors.ts'
import { countHit, type RateLimits } from '#ports/limits/port.ts'

/** Limits on mails that somebody other than their recipient asks for. */
export interface MailLimits {
  /** Account links that anybody can request, to one address. */
  linksAnHourToAddress: number
  /** Invitations of every kind, from all institutes together, to one address. */
  invitationsAnHourToAddress: number
  /** Invitations that one institute sends. */
  invitationsAnHour: number
  invitationsADay: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** The inbox of an address, in lower case and without a +tag: both reach the same inbox. */
export const inboxOf = (email: string): string => email.toLowerCase().replace(/(?<=[^@])\+[^@]*(?=@[^@]*$)/, '')

/** Keeps anybody from filling another person's inbox. The counts do not roll back: never count inside a transaction. */
export class MailBudget {
  readonly #limits: RateLimits
  readonly #most: MailLimits

  constructor(limits: RateLimits, most: MailLimits) {
    this.#limits = limits
    this.#most = most
  }

  /** Counts a requested account link, and tells whether this address may be sent another one. */
  async mayMailLink(email: string): Promise<boolean> {
    return (await this.#limits.hit(`identity-mail:${inboxOf(email)}`, this.#most.linksAnHourToAddress, HOUR)).allowed
  }

  /** Counts the mail that a link came too late, and tells whether this address may be sent another one. */
  async mayMailLate(email: string): Promise<boolean> {
    return (await this.#limits.hit(`late-mail:${inboxOf(email)}`, 1, DAY)).allowed
  }

  /**
   * Counts an invitation. When one limit refuses it, it does not count against the others.
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
