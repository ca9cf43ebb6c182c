import * as v from 'valibot'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type JobKind, type CronJob } from '#kernel/contract/module.ts'
import { findAccount, lockAccount } from './accounts.ts'
import type { IdentityDeps } from './deps.ts'
import { mailToken, sweepTokens } from './email-tokens.ts'
import { sweepLockouts } from './lockout.ts'
import { sweepChallenges } from './passkeys/challenges.ts'
import { sweepSessions } from './sessions.ts'
import { EMAIL_TOKEN_KINDS } from './tables.ts'

/**
 * Mails a link to the owner of an address, if there is an account. A job does it, so that the time of the reply does
 * not reveal whether the account exists.
 */
export const emailLinkJob = declareJob(
  'identity.email-link',
  v.object({ kind: v.picklist(EMAIL_TOKEN_KINDS), emailKey: v.string() }),
)
export const sweepIdentityJob = declareJob('identity.sweep', noPayload)

/** These jobs are short. They have places of their own, so that other jobs do not delay them. */
const LINKS_AT_ONCE = 4

type JobDeps = Pick<IdentityDeps, 'sendMail' | 'sessionLifetime'>

export const identityJobs = ({ sendMail, sessionLifetime }: JobDeps): readonly JobKind[] => [
  jobKind(emailLinkJob, {
    ownPlaces: LINKS_AT_ONCE,
    handle: ({ payload: { kind, emailKey }, finish }) =>
      finish(async (tx) => {
        const found = await findAccount(tx.db, emailKey)
        if (!found) return
        const account = await lockAccount(tx, found.id)
        if (account.status === 'disabled') return
        if (kind === 'verify_email' && account.email_verified) return
        await mailToken(tx, sendMail, kind, account.id)
      }),
  }),
  jobKind(sweepIdentityJob, {
    handle: ({ finish }) =>
      finish(async (tx) => {
        await sweepLockouts(tx)
        await sweepTokens(tx)
        await sweepChallenges(tx)
        await sweepSessions(tx, sessionLifetime)
      }),
  }),
]

export const identityCronJobs: readonly CronJob[] = [{ cron: '17 * * * *', job: sweepIdentityJob }]
