import { randomBytes } from 'node:crypto'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import { failure } from '#kernel/values/errors.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { lockAccount, type Account } from './accounts.ts'
import { hashToken } from './sessions.ts'
import type { EmailTokenKind } from './tables.ts'

export const TokenInvalid = failure(
  'TOKEN_INVALID',
  'token_invalid',
  'The token is missing or malformed, has expired or was used.',
)

const LIFETIME_SECONDS: Record<EmailTokenKind, number> = { reset_password: 3600, verify_email: 24 * 3600 }
const TEMPLATE = { reset_password: 'reset-password', verify_email: 'verify-email' } as const

/** Makes a one-time token, and invalidates the user's earlier ones of the same kind. */
export const makeToken = async (
  tx: SystemTx,
  kind: EmailTokenKind,
  userId: string,
  lifetimeSeconds: number = LIFETIME_SECONDS[kind],
): Promise<{ token: string; expiresAt: string }> => {
  const token = randomBytes(32).toString('base64url')
  const fresh = {
    token_hash: hashToken(token),
    expires_at: plusSeconds(tx.now, lifetimeSeconds),
    created_at: tx.now,
  }
  await tx.db
    .insertInto('email_token')
    .values({ user_id: userId, kind, ...fresh })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(fresh))
    .execute()
  return { token, expiresAt: fresh.expires_at }
}

/** Mails a link with a one-time token, and invalidates the user's earlier links of the same kind. */
export const mailToken = async (
  tx: SystemTx,
  sendMail: SendMail,
  kind: EmailTokenKind,
  userId: string,
): Promise<void> => {
  const { token, expiresAt } = await makeToken(tx, kind, userId)
  const { email, locale } = await tx.db
    .selectFrom('user')
    .select(['email', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  sendMail(tx, { template: TEMPLATE[kind], to: email, locale, token, expiresAt })
}

const findToken = (db: OutsideDb, kind: EmailTokenKind, token: string, now: string) =>
  db
    .selectFrom('email_token')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** @returns the user's id @throws TokenInvalid for a token that cannot be used now */
export const checkToken = async (db: OutsideDb, kind: EmailTokenKind, token: string, now: string): Promise<string> => {
  const found = await findToken(db, kind, token, now)
  if (!found) throw TokenInvalid()
  return found.user_id
}

/** Whether the link of a mail still does what it says: it may have been used, or a newer one may have taken its place. */
export const isLiveLink = async (
  db: OutsideDb,
  template: 'reset-password' | 'verify-email' | 'welcome',
  token: string,
  now: string,
): Promise<boolean> => {
  const kind = template === 'verify-email' ? 'verify_email' : 'reset_password'
  return (await findToken(db, kind, token, now)) !== undefined
}

/**
 * Uses a token up. It locks the account before the token, as every change does that ends tokens of an account.
 * @returns the locked account @throws TokenInvalid
 */
export const consumeToken = async (tx: SystemTx, kind: EmailTokenKind, token: string): Promise<Account> => {
  const account = await lockAccount(tx, await checkToken(tx.db, kind, token, tx.now))
  const { numDeletedRows } = await tx.db
    .deleteFrom('email_token')
    .where('user_id', '=', account.id)
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .executeTakeFirst()
  // It was used, or the account disabled, while this change waited for the lock.
  if (numDeletedRows === 0n) throw TokenInvalid()
  return account
}

export const sweepTokens = async (tx: SystemTx): Promise<void> => {
  // Tokens that were made while the clock was ahead expire too late: cut them to a full lifetime from now.
  const early = await tx.db
    .selectFrom('email_token')
    .select(['user_id', 'kind', 'created_at', 'expires_at'])
    .where('created_at', '>', plusSeconds(tx.now, CLOCK_SLACK_SECONDS))
    .execute()
  for (const { user_id, kind, created_at, expires_at } of early) {
    const lifetimeSeconds = (Date.parse(expires_at) - Date.parse(created_at)) / 1000
    await tx.db
      .updateTable('email_token')
      .set({ created_at: tx.now, expires_at: plusSeconds(tx.now, lifetimeSeconds) })
      .where('user_id', '=', user_id)
      .where('kind', '=', kind)
      .where('created_at', '=', created_at)
      .execute()
  }
  await tx.db.deleteFrom('email_token').where('expires_at', '<=', tx.now).execute()
}
