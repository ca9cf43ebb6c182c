import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { OutsideDb, Queries, SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import type { MailBudget, SendMail } from '#modules/mail/index.ts'
import type { Accepted, OpenInvitation, TaughtGroups } from '#modules/members/index.ts'
import { countHit, type RateLimits } from '#ports/limits/port.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { PasswordCheck } from './password-check.ts'
import type { SessionLifetime } from './sessions.ts'
import type { SessionTokens } from './sign-in.ts'

/** What profiles need from the files module. */
export interface Avatars {
  /**
   * Lets a profile refer to a picture of the institute in which its user works.
   * @throws NotFound for a file that the user did not upload as an avatar, VALIDATION_ERROR for one that is not a
   * picture
   */
  name(tx: Tx, userId: string, fileId: string): Promise<void>
  /** Removes the picture that a profile referred to until now. */
  free(tx: SystemTx, userId: string, fileId: string): Promise<void>
}

export interface IdentityDeps {
  database: Pick<Runtime['database'], 'read' | 'version'>
  vault: Vault
  deploymentMode: 'cloud' | 'self_hosted'
  /** Whether POST /auth/register is open. */
  registration: boolean
  tokens: SessionTokens
  passwords: Passwords
  sessionLifetime: SessionLifetime
  /** The institute that mails about an account are from; null in cloud mode. */
  instituteName(db: OutsideDb): Promise<string | null>
  /** The address by which people reach the server, which passkeys are made for. */
  baseUrl(db: Queries): Promise<string>
  /** Where staff sign in; undefined: not configured. */
  signInUrl: string | undefined
  sendMail: SendMail
  mailBudget: MailBudget
  /** The name under which the institute knows who was invited; empty: it has none on record. */
  recordedName(everywhere: SystemDb, invitation: Pick<OpenInvitation, 'tenantId' | 'membershipId'>): Promise<string>
  /** Runs in the transaction in which somebody accepts an invitation. */
  onAccepted(tx: Tx, accepted: Accepted): Promise<void>
  limits: RateLimits
  /** Logins a minute. */
  loginLimits: { loginPerMinuteOfAddress: number; loginPerMinuteOfEmail: number }
  /** Requests a minute of one user. */
  userPerMinute: number
  taughtGroups: TaughtGroups
  /** The institute whose verified domain has this name; always undefined on a self-hosted install. */
  tenantOfHost(db: SystemDb, host: string): Promise<string | undefined>
  avatars: Avatars
}

/** The dependencies of the endpoints. */
export interface Identity extends IdentityDeps {
  passwordCheck: PasswordCheck
}

const WINDOW_SECONDS = 60

/** Counts a request that takes no credential and costs a password hash or a mail. @throws RATE_LIMITED */
export const countAddress = ({ limits, loginLimits }: Identity, { network }: RequestInfo): Promise<unknown> =>
  countHit(limits, `login:address:${network}`, loginLimits.loginPerMinuteOfAddress, WINDOW_SECONDS)

/** Counts an attempt to sign in. @throws RATE_LIMITED */
export const countLogin = async (identity: Identity, request: RequestInfo, emailKey: string): Promise<void> => {
  const { limits, loginLimits } = identity
  await countAddress(identity, request)
  await countHit(limits, `login:email:${emailKey}`, loginLimits.loginPerMinuteOfEmail, WINDOW_SECONDS)
}
