import type { JobKind, Tick } from '#kernel/module.ts'
import { findAccount } from './accounts.ts'
import type { IdentityDeps } from './deps.ts'
import { mailToken, sweepTokens } from './email-tokens.ts'
import { sweepLockouts } from './lockout.ts'
import { sweepSessions } from './sessions.ts'
import type { EmailTokenKind } from './tables.ts'

/**
 * Mails a link to whom the address belongs, if to anybody. A job of its own, so that whoever asks cannot tell by the
 * time of the answer whether there is an account.
 */
export const EMAIL_LINK_JOB = 'identity.email-link'
const SWEEP_JOB = 'identity.sweep'

type JobDeps = Pick<IdentityDeps, 'sendMail' | 'sessionLifetime'>

interface LinkWanted {
  kind: EmailTokenKind
  emailKey: string
}

export const identityJobs = ({ sendMail, sessionLifetime }: JobDeps): Record<string, JobKind> => ({
  [EMAIL_LINK_JOB]: {
    handle: ({ payload, finish }) =>
      finish(async (tx) => {
        const { kind, emailKey } = payload as unknown as LinkWanted
        const account = await findAccount(tx.db, emailKey)
        if (!account || account.status === 'disabled') return
        if (kind === 'verify_email' && account.email_verified) return
        await mailToken(tx, sendMail, kind, account.id)
      }),
  },
  [SWEEP_JOB]: {
    handle: ({ finish }) =>
      finish(async (tx) => {
        await sweepLockouts(tx)
        await sweepTokens(tx)
        await sweepSessions(tx, sessionLifetime)
      }),
  },
})

export const identityTicks: readonly Tick[] = [{ cron: '17 * * * *', job: SWEEP_JOB }]
