import type { Credential } from '#kernel/contract/credential.ts'

const PERSON = ['user_disabled'] as const
const HERE = ['membership_disabled', 'membership_deleted', 'role_taken', 'tenant_locked', 'tenant_archived'] as const

/** @public compared with the database by a test, like all of them */
export const PASSWORD: Credential = {
  name: 'password',
  of: 'user',
  opens: 'Signs in to the account.',
  lasting: true,
  columns: ['user.password_hash'],
  ends: ['password_changed', 'password_reset', ...PERSON],
  why: 'It is how a person comes in again; what they find there is decided at each request.',
}

/** The access token and the refresh tokens of one sign-in. */
export const SESSION: Credential = {
  name: 'session',
  of: 'user',
  opens:
    'What its user may do at each request: an access token for a quarter of an hour, the refresh tokens for 30 days without use and 90 at most.',
  lasting: false,
  columns: ['auth_session.token_hash', 'auth_session.recent_rotations'],
  purposes: ['refresh-token'],
  // A new password leaves the session in which it was chosen.
  ends: ['logout', 'logout_all', 'password_changed', 'password_reset', ...PERSON, ...HERE],
  why: 'It is not an impersonation, and a record lets nobody in: what it shows of one is decided at each request.',
}

/** The access token by which a platform admin acts in somebody's name. */
export const IMPERSONATION: Credential = {
  name: 'impersonation',
  of: 'user',
  opens: 'What an owner may do, but nothing that lasts; for ten minutes.',
  lasting: false,
  columns: ['auth_session.token_hash'],
  ends: ['logout_all', 'password_changed', 'password_reset', ...PERSON, ...HERE, 'impersonation_ended'],
  why: 'The owner who signs out in one place leaves their other sessions, and this is one.',
}

/** The access token by which somebody looks at the console as a role sees it. */
export const ROLE_PREVIEW: Credential = {
  name: 'role-preview',
  of: 'user',
  opens: 'What a role reads, no more than its user may themselves, and changes nothing; for a quarter of an hour.',
  lasting: false,
  columns: ['auth_session.token_hash'],
  ends: ['logout', 'logout_all', 'password_changed', 'password_reset', ...PERSON, ...HERE],
  why: 'It ends with the session from which it was begun. It is not an impersonation, and shows no record of its user.',
}

export const RESET_LINK: Credential = {
  name: 'reset-link',
  of: 'user',
  opens: 'Chooses a new password, once, for an hour; that of a new account for a week.',
  lasting: true,
  columns: ['email_token.token_hash'],
  ends: ['password_changed', 'password_reset', ...PERSON],
  why: 'Only who reads the person’s mail has it: it is how they come back, whatever ended here.',
}

export const VERIFICATION_LINK: Credential = {
  name: 'verification-link',
  of: 'user',
  opens: 'Confirms the address of an account, once, for a day. It signs nobody in.',
  lasting: true,
  columns: ['email_token.token_hash'],
  ends: [...PERSON],
  why: 'Only who reads the mail has it, and it says no more than that.',
}

/** @see keepPending */
export const SECOND_FACTOR: Credential = {
  name: 'second-factor',
  of: 'user',
  opens: 'The second step of a sign-in, after the password: the app makes codes of it.',
  lasting: true,
  columns: ['second_factor.sealed_secret', 'second_factor.pending_secret'],
  purposes: ['second-factor'],
  ends: [],
  why: 'It opens nothing without the password, and must outlast it: whoever chooses a new one by a mailed link is still asked for a code.',
}

/** @see makeRecoveryCodes */
export const RECOVERY_CODE: Credential = {
  name: 'recovery-code',
  of: 'user',
  opens: 'The same once, in place of a code of the app.',
  lasting: true,
  columns: ['recovery_code.code_hash'],
  purposes: ['recovery-code'],
  ends: [],
  why: 'It opens nothing without the password, and is for the day on which the app is lost, whatever ended before.',
}

/** @see secondStep */
const SIGN_IN_TICKET: Credential = {
  name: 'sign-in-ticket',
  of: 'user',
  opens: 'The second step of a sign-in, for five minutes after the right password.',
  lasting: false,
  purposes: ['sign-in-ticket'],
  ends: [],
  why: 'It opens nothing without a code, and account and password are looked at again when it is used.',
}

/** @see checkAssertion */
export const PASSKEY: Credential = {
  name: 'passkey',
  of: 'user',
  opens: 'Signs in to the account from the device that holds it, as password and second factor together.',
  lasting: true,
  columns: ['passkey.public_key'],
  ends: [...PERSON],
  why: 'It is how a person comes in again, beside the password: they see theirs at their account, were mailed when one was added, and remove it there.',
}

/** @see deviceKey */
export const DEVICE_KEY: Credential = {
  name: 'device-key',
  of: 'member',
  opens: 'What the person’s own browser keeps until the server can be reached. No endpoint takes it.',
  lasting: false,
  purposes: ['device-key'],
  ends: [],
  why: 'What waits in a browser is sent once the same person has signed in there again, whatever ended in between.',
}

export const IDENTITY_CREDENTIALS: readonly Credential[] = [
  PASSWORD,
  SESSION,
  IMPERSONATION,
  ROLE_PREVIEW,
  RESET_LINK,
  VERIFICATION_LINK,
  SECOND_FACTOR,
  RECOVERY_CODE,
  SIGN_IN_TICKET,
  PASSKEY,
  DEVICE_KEY,
]
