import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** What somebody took in a day, and its count. */
export const till = {
  title: 'My till',
  about: (since: string) => `Since ${isolate(since)}`,
  empty: 'The till is empty. What you take from now on appears here.',
  lastClosed: (when: string) => `Closed last on ${isolate(when)}.`,
  entries: (count: number) => many(count, { one: '1 movement', other: `${count} movements` }),
  heldCheques: (count: number, sum: string) =>
    many(count, {
      one: `1 held cheque, ${isolate(sum)}`,
      other: `${count} held cheques, ${isolate(sum)}`,
    }),
  heldBeside: 'Not part of the sums. You can count how many of them are in the till.',
  papersCounted: 'Cheques counted',
  expected: 'Expected',
  countOf: (method: string) => `Counted: ${isolate(method)}`,
  fits: 'Fits',
  missing: (amount: string) => `${isolate(amount)} missing`,
  over: (amount: string) => `${isolate(amount)} too much`,
  notCounted: 'Type what was counted, 0 for nothing.',
  note: 'Note',
  noteHint: 'What explains a difference.',
  close: 'Close the till',
  closed: 'The till is closed.',
  follows: 'A close is kept as it is and cannot be changed. What you take afterwards is in the next till.',
  movements: 'Movements',
  closes: 'Closed tills',
  noCloses: 'No till has been closed yet.',
  paper: 'Count sheet (PDF)',
  paperOf: (name: string, when: string) => `Count sheet of ${isolate(name)}, ${isolate(when)} (PDF)`,
  kinds: {
    received: 'Received',
    reversed: 'Taken back',
    refunded: 'Paid out',
    held: 'Held cheque',
    given_back: 'Held cheque given back',
  },
}
