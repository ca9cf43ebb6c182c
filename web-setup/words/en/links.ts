import { isolate } from '../../../src/shared/isolate.ts'
import { first } from '../../../src/console/words/en/first.ts'
import { password } from './password.ts'

/** What the pages behind mail links say. */
export const links = {
  page: {
    tokenMissing:
      'The address of this page is incomplete. Please open the link in the mail once more, or copy it in full.',
    about: (email: string) => `For the account ${isolate(email)}.`,
    aboutAt: (email: string, institute: string) => `For the account ${isolate(email)} at ${isolate(institute)}.`,
    newLink: 'Ask for a new link',
    goOn: 'Continue',
    signIn: 'Go on to sign in',
  },
  invitation: {
    title: 'Accept your invitation',
    lead: 'You have been invited to join an institute on this server.',
    leadFrom: (inviter: string, institute: string) => `${isolate(inviter)} invites you to join ${isolate(institute)}.`,
    known: 'You already have an account here. Your name and your password stay as they are.',
    existing:
      'Do you already have an account here? Then you can leave both fields empty: your name and your password stay as they are. If a new password is needed, this page will ask for it.',
    fullName: 'Full name',
    fullNameMissing: 'There is no account for you here yet. Please enter your full name.',
    fullNameWrong: 'A name is one line of up to 200 characters, and not the address of a page.',
    password: 'Choose a password',
    passwordMissing:
      'This address has not been confirmed here yet, so a new password is needed. Please choose one of at least 10 characters.',
    submit: 'Accept the invitation',
    sending: 'One moment…',
    doneTitle: 'Welcome',
    doneText: 'The invitation is accepted. From now on you sign in with your email and your password.',
    invalidTitle: 'This invitation is no longer valid',
    invalidText: 'It was used already, or its seven days have passed. Please ask the institute to send you a new one.',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'It takes effect at once. Wherever your account is still signed in, it will be signed out.',
    password: 'New password',
    submit: 'Save the new password',
    sending: 'Saving…',
    doneTitle: 'Your new password is set',
    doneText: 'Please sign in with it from now on.',
    invalidTitle: 'This link is no longer valid',
    invalidText:
      'A link for a new password is good for one hour and for one use. Please ask for a new one where you sign in.',
  },
  verify: {
    title: 'Confirm your email address',
    lead: 'With this you confirm that the mail reached you.',
    submit: 'Confirm my address',
    sending: 'Confirming…',
    doneTitle: 'Thank you, your address is confirmed',
    doneText: 'There is nothing more to do.',
    invalidTitle: 'This link is no longer valid',
    invalidText:
      'A confirmation link is good for 24 hours and for one use. If your address is not confirmed yet, please ask for a new link where you sign in.',
  },
}

/** All that these pages say. */
export const words = { ...first, links, password }
