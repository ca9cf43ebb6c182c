import type { ConfirmPassword, SessionTokens } from '#modules/identity/index.ts'
import type { SendMail } from '#modules/mail/index.ts'

export interface PlatformDeps {
  deploymentMode: 'cloud' | 'self_hosted'
  tokens: SessionTokens
  sendMail: SendMail
  /** Asks the caller for their password once more. */
  confirm: ConfirmPassword
  /** The kinds of jobs that the program runs. */
  jobKinds(): readonly string[]
}
