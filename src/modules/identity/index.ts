import type { Module } from '#kernel/contract/module.ts'
import { userAuthenticator } from './authenticator.ts'
import type { IdentityDeps, Identity } from './deps.ts'
import { invitationEndpoint } from './endpoints/invitation.ts'
import { linkEndpoint } from './endpoints/link.ts'
import { loginEndpoint } from './endpoints/login.ts'
import { memberSessionEndpoints } from './endpoints/member-sessions.ts'
import { previewEndpoints } from './endpoints/preview.ts'
import { passkeySignInEndpoints } from './endpoints/passkey-sign-in.ts'
import { passkeyEndpoints } from './endpoints/passkeys.ts'
import { passwordEndpoints } from './endpoints/passwords.ts'
import { profileEndpoints } from './endpoints/profile.ts'
import { refreshEndpoint } from './endpoints/refresh.ts'
import { registrationEndpoints } from './endpoints/registration.ts'
import { resetSecondFactorEndpoint } from './endpoints/reset-second-factor.ts'
import { secondFactorEndpoints } from './endpoints/second-factor.ts'
import { secondStepEndpoint } from './endpoints/second-step.ts'
import { loginSessionEndpoints } from './endpoints/sessions.ts'
import { tenantEndpoints } from './endpoints/tenant.ts'
import { identityJobs, identityCronJobs } from './jobs.ts'
import { PasswordCheck } from './password-check.ts'
import { identityTables } from './tables.ts'
import { IDENTITY_CREDENTIALS } from './credentials.ts'

export { isLiveLink } from './email-tokens.ts'
export { sessionCallers } from './authenticator.ts'
export {
  createUser,
  emailKey,
  EmailTaken,
  ensureUser,
  findAccount,
  isAvatarOf,
  isProven,
  type NewUser,
} from './accounts.ts'
export { eraseAccount } from './erase.ts'
export { IMPERSONATION, SESSION } from './credentials.ts'
export type { Avatars, IdentityDeps } from './deps.ts'
export { lastUseOf } from './last-use.ts'
export { lockForImpersonation, openImpersonation, prepareImpersonation } from './impersonation.ts'
export {
  addPlatformAdmin,
  disableUser,
  enableUser,
  listUsers,
  makeResetToken,
  resetSecondFactor,
  type AddedPlatformAdmin,
  type ListedUser,
} from './operator.ts'
export {
  ASKS_PASSWORD,
  checkSamePassword,
  confirmingFails,
  confirmPassword,
  PasswordAgain,
  type ConfirmPassword,
} from './confirm-password.ts'
export { ownWordsOf } from './own-words.ts'
export {
  addPlatformUser,
  AlreadyPlatformAdmin,
  changePlatformUser,
  listPlatformUsers,
  NewPlatformUser,
  OwnAccount,
  PlatformUser,
  PlatformUserChanges,
  PlatformUserQuery,
  resetUserSecondFactor,
} from './platform-users.ts'
export { OwnSecondFactor, SetItUpFirst } from './second-factor/factor.ts'
export { DisabledAccount, provideOwner, type OwnerMail } from './provide.ts'
export { RefreshTokens } from './refresh-tokens.ts'
export {
  endAllSessions,
  exchangeToken,
  hadSecondFactor,
  hashToken,
  openSession,
  type SessionLifetime,
} from './sessions.ts'
export {
  COOKIE_HEADER,
  logOf,
  prepareSession,
  sessionOf,
  SignedIn,
  signIn,
  type PreparedSession,
  type SessionTokens,
} from './sign-in.ts'
export { type AccessClaims, AccessTokens, makeSigningKey } from './tokens.ts'

export const identityModule = (deps: IdentityDeps): Module => {
  const identity: Identity = { ...deps, passwordCheck: new PasswordCheck(deps.passwords) }
  return {
    name: 'identity',
    tags: {
      auth: 'Signing in and out, passwords, and the sessions of the account.',
      invitations: 'Accepting an invitation.',
      me: 'The account of whoever asks, and their own lessons.',
    },
    tables: identityTables,
    credentials: IDENTITY_CREDENTIALS,
    reads: { members: ['membership', 'role', 'role_assignment'], tenants: ['tenant'] },
    endpoints: [
      loginEndpoint(identity),
      secondStepEndpoint(identity),
      ...passkeySignInEndpoints(identity),
      refreshEndpoint(identity),
      ...loginSessionEndpoints(identity),
      ...tenantEndpoints(identity),
      ...passwordEndpoints(identity),
      ...registrationEndpoints(identity),
      linkEndpoint(identity),
      invitationEndpoint(identity),
      ...profileEndpoints(identity),
      ...secondFactorEndpoints(identity),
      ...passkeyEndpoints(identity),
      resetSecondFactorEndpoint(identity),
      ...memberSessionEndpoints(identity),
      ...previewEndpoints(identity),
    ],
    jobs: identityJobs(deps),
    cronJobs: identityCronJobs,
    authenticators: [
      userAuthenticator({
        db: deps.database.read,
        version: () => deps.database.version(),
        tokens: deps.tokens.access,
        taughtGroups: deps.taughtGroups,
        userPerMinute: deps.userPerMinute,
      }),
    ],
  }
}
