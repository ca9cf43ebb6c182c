import { named } from './named.ts'

/** null: the mail names no institute. */
export type Institute = string | null

/** What the mail of an invitation tells of. */
export interface Invited {
  institute: string
  inviter?: string | undefined
  /** Whether somebody is invited as a parent or a student. */
  isFamily?: boolean | undefined
}

export interface MailText {
  subject: string
  /** Why the mail came. */
  lead: string
  /** The caption of the link: what it does. Absent: the mail has none. */
  action?: string
  /** How long the link is valid, and what to do when the mail is unexpected. */
  note: string
}

const ACCOUNT_CHANGES = {
  second_factor_on: {
    subject: 'Signing in now takes a code',
    lead: 'From now on, signing in to your account takes a code of your app after the password. Everywhere else you were signed out.',
  },
  second_factor_off: {
    subject: 'Signing in takes no code any more',
    lead: 'The codes of your app were switched off: your password alone signs in to your account again.',
  },
  second_factor_reset: {
    subject: 'Your second step was reset',
    lead: 'Whoever runs the institute or its server has taken away the app with the codes and the passkeys of your account, and you were signed out everywhere. Your password signs in; then set up the second step anew.',
  },
  other_app: {
    subject: 'The codes come from another app now',
    lead: 'The codes for signing in come from an app that was set up just now; the former one makes none that count.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    lead: 'Somebody signed in to your account with the password and one of your recovery codes. That code is used up.',
  },
  recovery_codes_made: {
    subject: 'You have new recovery codes',
    lead: 'New recovery codes were made for your account. The former ones are worth nothing.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    lead: 'A passkey was added to your account: with it one signs in without the password.',
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    lead: 'A passkey of your account was removed: it signs nobody in any more.',
  },
  signed_out: {
    subject: 'You were signed out',
    lead: 'Whoever manages the members of the institute has signed you out on a device, or on all of them. Your password and everything else are as they were: sign in again wherever you like.',
  },
}

/** What mails say, by their templates. */
export const en = {
  'reset-password': (institute: Institute): MailText => ({
    subject: 'Choose a new password',
    lead: `Somebody asked for a new password for your account${institute === null ? '' : ` at ${named(institute)}`}.`,
    action: 'Choose a new password',
    note: 'The link works once, within one hour. If it was not you, there is nothing to do: your password stays as it is.',
  }),
  'verify-email': (institute: Institute): MailText => ({
    subject: 'Confirm your email address',
    lead: `${institute === null ? '' : `This address was given for an account at ${named(institute)}. `}Please confirm that it is yours.`,
    action: 'Confirm the address',
    note: 'The link works once, within 24 hours. If you did not make an account here yourself, do not confirm: somebody else entered your address.',
  }),
  invitation: ({ institute, inviter, isFamily = false }: Invited): MailText => ({
    subject: `Invitation to ${named(institute)}`,
    lead: [
      inviter === undefined
        ? `You are invited to join ${named(institute)}.`
        : `${named(inviter)} invites you to join ${named(institute)}.`,
      isFamily && 'With your own account you see lessons, attendance, marks and messages in one place.',
    ]
      .filter(Boolean)
      .join(' '),
    action: 'Accept the invitation',
    note: 'The invitation works once, within 7 days. If you did not expect it, you can ignore this mail.',
  }),
  welcome: (institute: string): MailText => ({
    subject: `Welcome to ${named(institute)}`,
    lead: `We have set up ${named(institute)} for you, and your account is that of its owner. Choose a password to sign in.`,
    action: 'Choose a password',
    note: 'The link works once, within 7 days. After that you can ask for another one where you sign in. If you did not expect this mail, you can ignore it.',
  }),
  /** For somebody who has an account. It has no link: with a link that sets the password, others could take the account. */
  'new-owner': (institute: string): MailText => ({
    subject: `You are now the owner of ${named(institute)}`,
    lead: `We have set up ${named(institute)} for you, and your account is that of its owner. Sign in with this address and the password that you already have.`,
    note: 'There is nothing else to do. If you did not expect this mail, you can ignore it.',
  }),
  /** That what somebody signs in with has changed. It has no link: whoever reads it signs in as always. */
  'account-changed': (institute: Institute, change: keyof typeof ACCOUNT_CHANGES): MailText => ({
    subject: ACCOUNT_CHANGES[change].subject,
    lead: `${ACCOUNT_CHANGES[change].lead}${institute === null ? '' : ` It concerns your account at ${named(institute)}.`}`,
    note: 'If it was you, there is nothing to do. If not, choose a new password at once (“Forgot the password?” where you sign in), look at your account page, and tell whoever runs your institute.',
  }),
  test: (institute: Institute): MailText => ({
    subject: 'Test mail',
    lead: `This mail has arrived, so mail${institute === null ? '' : ` of ${named(institute)}`} works.`,
    note: 'It was sent as a test only. There is nothing to do.',
  }),
  /** In place of a link that expired before the mail server took the mail: a dead one helps nobody. */
  late: {
    'reset-password': (institute: Institute): MailText => ({
      subject: 'Your link for a new password came too late',
      lead: `Somebody asked for a new password for your account${institute === null ? '' : ` at ${named(institute)}`}, but the mail could not go out in time and its link has expired.`,
      note: 'If you still need it, ask for a new link where you sign in. If it was not you, there is nothing to do: your password stays as it is.',
    }),
    'verify-email': (institute: Institute): MailText => ({
      subject: 'Your link to confirm the address came too late',
      lead: `${institute === null ? '' : `This address was given for an account at ${named(institute)}. `}The mail with the link to confirm it could not go out in time, and the link has expired.`,
      note: 'If you made the account yourself, ask for a new link after you sign in. If not, there is nothing to do.',
    }),
  },
}

export type MailWords = typeof en
