import { isolate } from '../../../src/shared/isolate.ts'
import { first } from '../../../src/console/words/en/first.ts'
import { refusals } from '../../../src/console/words/en/refusals.ts'

/** What the page of the licence says. */
export const license = {
  open: 'Open the institute',
  title: 'The licence of this server',
  signInLead:
    'Please sign in as the owner of the institute. Here you see whether it is locked, why, and how it is unlocked.',
  foreign:
    'You are signed in, but not as the owner of the institute. Only the owner sees the licence. Please tell the owner about this page.',
  another: 'Sign in as somebody else',
  signOut: 'Sign out',
  lockedTitle: 'The institute is locked',
  lockedLead:
    'Your vendor has locked this institute. Nothing is lost: all records are here, on your own server, and come back the moment it is unlocked.',
  activeTitle: 'The licence is active',
  activeLead: 'The institute is not locked. There is nothing to do.',
  unlicensedTitle: 'This server has no licence',
  unlicensedLead:
    'Everything works without one, and nothing is sent to anybody. If you were given a licence, put it in here.',
  grace: (since: string) =>
    `The licence server has not answered since ${isolate(since)}. Nothing is locked because of that, but please have somebody see whether this server reaches the internet.`,
  reason: 'Reason',
  reasonNone: 'None was given',
  plan: 'Plan',
  planNone: 'None',
  heard: 'Last word of the licence server',
  heardNever: 'None yet',
  number: 'Number of the licence',
  install: 'Number of this server',
  lastError: 'The last question to the licence server went wrong',
  works: 'What still works',
  worksText:
    'Signing in, this page, and the export of everything to a file: your records stay yours. All else waits until the institute is unlocked. Backups are not affected.',
  call: 'Who can help',
  callText:
    'Please call the company from which you have the program, and tell them the number of the licence. They can unlock the institute over the internet, which takes some hours or a restart of the server to arrive, or give you an unlock code, which works at once and without internet.',
  unlock: 'Unlock code',
  unlockHint: 'A long line of letters and digits. It is good for one use, within 7 days.',
  unlockSubmit: 'Unlock the institute',
  put: 'Licence',
  putHint: 'A long line of letters and digits that the company gave you. A new one takes the place of the one before.',
  putAnother: 'Put in another licence',
  putSubmit: 'Put in the licence',
  tokenSending: 'Checking…',
  tokenMissing: 'Please paste the code here.',
  tokenUsed: 'This code was used already, or the company has sent word since. Please ask for a new one.',
  tokenExpired:
    'The 7 days of this code are over, by the clock of this server. If its date is right, please ask for a new code.',
  tokenOtherLicense: 'This code is for another licence. Please compare the number of the licence with the company.',
  tokenNoLicense: 'There is no licence here that the code could belong to. Please put in the licence first.',
  tokenOtherKind:
    'This is a code of the other kind. An unlock code unlocks a locked institute; a licence is put in where the institute is not locked.',
  tokenBroken:
    'This code cannot be right. Perhaps a part is missing: please copy it whole, from the first letter to the last.',
  tokenNoVendor: 'This program does not know the company’s key. Whoever looks after the server has to set it.',
  done: 'Done. The institute is unlocked.',
  donePut: 'Done. The licence is in place.',
}

/** All that this page says. */
export const words = { ...first, refusals, license }
