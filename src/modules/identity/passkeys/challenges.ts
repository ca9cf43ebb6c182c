import { randomBytes } from 'node:crypto'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { hashToken } from '../sessions.ts'

/** What a browser is asked to sign: kept here, good for five minutes and once. */

const CHALLENGE_SECONDS = 5 * 60

/** @param userId who adds a passkey; null: somebody signs in */
export const makeChallenge = async (tx: SystemTx, userId: string | null): Promise<string> => {
  const challenge = randomBytes(32).toString('base64url')
  await tx.db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: hashToken(challenge),
      user_id: userId,
      expires_at: plusSeconds(tx.now, CHALLENGE_SECONDS),
    })
    .execute()
  return challenge
}

/** @returns whether it was good, for this; it is used up now */
export const useChallenge = async (tx: SystemTx, challenge: string, userId: string | null): Promise<boolean> => {
  const { numDeletedRows } = await tx.db
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const sweepChallenges = async (tx: SystemTx): Promise<void> => {
  const latest = plusSeconds(tx.now, CHALLENGE_SECONDS + CLOCK_SLACK_SECONDS)
  await tx.db
    .deleteFrom('passkey_challenge')
    .where((eb) => eb.or([eb('expires_at', '<=', tx.now), eb('expires_at', '>', latest)]))
    .execute()
}
