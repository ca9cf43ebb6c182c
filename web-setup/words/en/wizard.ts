import { isolate } from '../../../src/shared/isolate.ts'
import { clocks } from '../../../src/console/words/en/clocks.ts'
import { first } from '../../../src/console/words/en/first.ts'

/** What the wizard begins with. */
export const wizard = {
  steps: {
    language: 'Language',
    institute: 'Institute',
    owner: 'Owner',
    address: 'Address',
    mail: 'Mail',
    review: 'Review',
  },
  setup: {
    title: 'Server setup',
    steps: 'Steps of the setup',
    count: (n: number, total: number) => `Step ${n} of ${total}`,
    next: 'Continue',
    back: 'Back',
  },
  language: {
    title: 'Welcome',
    lead: 'This sets up your institute’s own server: a few short steps that take some minutes. Nothing is created until you confirm at the end.',
    legend: 'Which language do you prefer for the setup?',
    hint: 'You can switch at any time. What you have typed stays.',
    moving: 'Is your institute on another server already?',
    move: 'Bring it here from a backup',
  },
  token: {
    label: 'Setup code',
    hint: `It stands at the end of the address that the server printed when it first started; on the server, ${isolate('institute setup-token')} prints it again. You may also paste the whole address.`,
    missing: 'Please enter the setup code.',
    wrong: `The server does not accept this setup code. On the server, ${isolate('institute setup-token')} prints the right one.`,
    checking: 'Checking…',
  },
  clocks,
  signedOut: {
    title: 'You are signed out',
    text: 'The institute goes on working. You can close this page now.',
  },
  already: {
    title: 'This server is already set up',
    text: 'The setup runs only once, and an institute already exists here. Nothing was changed.',
    next: 'If you are the owner, sign in with your email and password in the app that your institute uses. The server answers programs at this address:',
  },
  cloud: {
    title: 'No setup is needed here',
    text: 'This server runs in cloud mode. Institutes are opened by the administrators of the platform.',
  },
  unreachable: {
    title: 'The server does not answer',
  },
  copy: {
    label: 'Copy',
    done: 'Copied',
    api: 'Copy the address of the API',
    key: 'Copy the API key',
    request: 'Copy the example request',
    folder: 'Copy the folder',
    command: 'Copy the command',
  },
  open: 'Open the institute',
  openDocs: 'Open the reference',
  signIn: 'Go on to sign in',
}

/** All that its first page says. */
export const words = { ...first, wizard }
