import * as v from 'valibot'
import { plusSeconds } from '#kernel/time/clock.ts'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { ts } from '#kernel/values/schema.ts'
import { CannotOpen, type Vault } from '#runtime/secrets/vault.ts'
import { hashToken } from '../sessions.ts'
import { Client } from '../sign-in.ts'

/** What the first step of a sign-in hands to the second: that the password was right. It opens nothing by itself. */

const PURPOSE = 'sign-in-ticket'
const TICKET_SECONDS = 5 * 60

const Ticket = v.object({ userId: v.string(), password: v.string(), client: Client, expiresAt: v.string() })
type Ticket = v.InferOutput<typeof Ticket>

export const SecondFactorNeeded = failure(
  'UNAUTHORIZED',
  'second_factor_needed',
  'The password is right. The account has a second factor: send the ticket with a code to /auth/login/second-factor.',
  {
    details: {
      schema: explained(v.object({ ticket: v.string(), expiresAt: ts }), {
        ticket: 'For POST /auth/login/second-factor. It opens nothing else.',
        expiresAt: 'Until when it is good: for five minutes.',
      }),
      example: { ticket: '2.Tm90IG9uZQ', expiresAt: '2026-03-01T08:05:00.000Z' },
    },
  },
)

export const TicketExpired = failure(
  'TOKEN_INVALID',
  'sign_in_ticket_expired',
  'The first step of this sign-in is over, or the password has changed since: type it again.',
)

/** @param passwordHash that was right: a new one ends the ticket */
export const secondStep = (
  vault: Vault,
  { userId, passwordHash, client, now }: { userId: string; passwordHash: string; client: Client; now: string },
) => {
  const expiresAt = plusSeconds(now, TICKET_SECONDS)
  const ticket: Ticket = { userId, password: hashToken(passwordHash), client, expiresAt }
  return SecondFactorNeeded({ ticket: vault.seal(PURPOSE, JSON.stringify(ticket)), expiresAt })
}

/** @throws TicketExpired */
export const openTicket = (vault: Vault, sealed: string, now: string): Ticket => {
  try {
    const ticket = v.parse(Ticket, JSON.parse(vault.open(PURPOSE, sealed)))
    if (ticket.expiresAt > now && ticket.expiresAt <= plusSeconds(now, TICKET_SECONDS)) return ticket
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
  }
  throw TicketExpired()
}

/** @throws TicketExpired once the password is another one */
export const checkTicket = ({ password }: Ticket, { password_hash }: { password_hash: string | null }): void => {
  if (password_hash === null || hashToken(password_hash) !== password) throw TicketExpired()
}
