import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** What one signs in with beside the password. */
export const factor = {
  title: 'Second step at sign-in',
  about:
    'After the password, signing in takes a code that an app on your phone shows. Whoever learns your password does not come in.',
  on: 'On',
  since: (day: string) => `since ${isolate(day)}`,
  codesLeft: (count: number) =>
    many(count, { one: '1 recovery code is left.', other: `${count} recovery codes are left.` }),
  noCodesLeft: 'No recovery code is left: make new ones.',
  usedTitle: 'You signed in with a recovery code',
  usedText:
    'The one that you used is worth nothing any more. If you have your phone no more, choose “Use another phone” on the page of your account.',
  usedFew: 'The one that you used is worth nothing any more. You make new ones on the page of your account.',
  begin: 'Set up',
  other: 'Use another phone',
  make: 'New recovery codes',
  off: 'Switch off',
  offTitle: 'Switch the second step off?',
  offText: 'Your password alone signs in then. The recovery codes are worth nothing any more.',
  offAsked: 'A role of yours asks for it: you would be led to set it up again at once.',
  offDone: 'The second step is switched off.',
  makeTitle: 'Make new recovery codes?',
  makeText: 'The former ones are worth nothing then.',
  password: 'Your password',
  passwordMissing: 'Type your password.',
  passwordWrong: 'This is not your password.',
  next: 'Next',
  steps: {
    password: 'Set up the second step',
    scan: 'Scan this with your app',
    codes: 'Keep your recovery codes',
  },
  passwordText: 'So that nobody does this in your place, type your password once more.',
  scanText:
    'Open an app for codes on your phone (Google Authenticator, Microsoft Authenticator, the passwords of an iPhone, or the like), add an account and scan the picture.',
  qr: 'A QR code for the app',
  openApp: 'Open the app on this phone',
  secret: 'Or type this into the app',
  secretHint: 'If the app asks: name the account as you like; the kind is “time based”.',
  code: 'The six digits that the app shows now',
  codeMissing: 'Type the six digits.',
  turnOn: 'Switch on',
  codesText:
    'Each of them signs in once in place of a code, when the phone is lost. They are shown only now: write them down, or keep them where you keep passwords.',
  codes: 'Your recovery codes',
  save: 'Save as a file',
  print: 'Print',
  codesOf: (email: string) => `Recovery codes for signing in as ${isolate(email)}`,
  codesUse:
    'If the phone is lost: when signing in, after the password, type one of the codes in the place of the one on the phone. Each works once.',
  kept: 'I have kept them',
  done: 'The second step is on. Elsewhere you were signed out.',
  passkeys: 'Passkeys',
  passkeysAbout:
    'With a passkey you sign in by your finger, your face or the PIN of your device, without password and code.',
  noPasskeys: 'You have none yet.',
  addPasskey: 'Add a passkey',
  addPasskeyText: 'Your device asks for your finger, your face or its PIN then.',
  passkeyName: 'What you call it',
  passkeyNameMissing: 'Type a name, such as “My phone”.',
  passkeyAdded: (name: string) => `The passkey ${isolate(name)} is added.`,
  passkeyAbout: (added: string, used: string | undefined) =>
    used === undefined ? `added ${isolate(added)}, never used` : `added ${isolate(added)}, last used ${isolate(used)}`,
  synced: 'On all your devices',
  rename: 'Rename',
  renamed: (name: string) => `It is called ${isolate(name)} now.`,
  remove: 'Remove',
  moreOf: (name: string) => `More: ${isolate(name)}`,
  removeTitle: (name: string) => `Remove the passkey ${isolate(name)}?`,
  removeText: 'Nobody signs in with it any more. Remove it in the settings of your device too.',
  removed: (name: string) => `The passkey ${isolate(name)} is removed.`,
  cancelled:
    'Your device has not made it: it was given up, took too long, or it has one for this account already. Try again.',
  notHere: (address: string) =>
    `Passkeys of this server work at ${isolate(address)} alone. Open that address and come back.`,
  obstacles: {
    plain_http:
      'Passkeys need https: browsers make none for an address that begins with http. Whoever runs the server can set up https.',
    ip_address:
      'Passkeys need an address with a name: browsers make none for numbers such as 192.168.1.5. Whoever runs the server can give it a name.',
  },
  tooOld: 'This browser knows no passkeys. A newer one does.',
  needed: 'A second step is asked for',
  neededText:
    'The institute asks for it of everybody with your role. Set it up once, in two minutes; then you go on as always.',
  neededThere: 'You have a second step already, and signed in without it. Sign in once more, with your passkey.',
  neededOther:
    'This institute asks its owners for a second step. Sign in to your own account with one, then try again.',
  signOut: 'Sign out',
  withApp: 'With an app on the phone',
  withPasskey: 'With a passkey',
  policy: 'Second step at sign-in',
  policyAbout:
    'Whoever has one of these roles signs in with a second step: a code on the phone, or a passkey. Who has set none up yet is led to it at the next click, and sees nothing else until then.',
  policySaved: (role: string) => `${isolate(role)}: saved.`,
  policyOwn: 'It holds for you too, from the next click on.',
  reset: 'Reset the second step',
  resetTitle: (name: string) => `Reset the second step of ${isolate(name)}?`,
  resetText:
    'For somebody who lost their phone and has no recovery code. Their codes and passkeys are taken away, and they are signed out everywhere. Their password stays. Be sure that it is really they who ask.',
  resetVerb: 'Reset',
  resetDone: (name: string) => `${isolate(name)} signs in with the password alone.`,
}
