import { isolate } from '../../../shared/isolate.ts'

/** What the institute has agreed on with its vendor, and how much of it is used. */
export const plan = {
  about: 'What is agreed with your vendor, and how much of it is used.',
  subscription: 'The plan',
  none: 'There is no plan. Nothing is limited.',
  price: 'Price',
  renewal: {
    trialing: 'To keep working after the trial, agree on a plan with your vendor.',
    active: 'Your vendor renews it. You get a message 14, 7 and 1 days before it ends.',
    past_due: 'A payment is missing. Please call your vendor.',
    cancelled: 'It is not renewed. After its end everything can be read, and nothing changed.',
    expired: 'It was not renewed. Everything works for now: please call your vendor.',
  },
  used: 'How much is used',
  storage: 'Files',
  of: (used: string, most: string) => `${isolate(used)} of ${isolate(most)}`,
  upTo: (most: string) => `up to ${isolate(most)}`,
  unlimited: (used: string) => `${isolate(used)}, no limit`,
  unlimitedPace: 'as the server allows',
  near: 'Nearly full',
  full: 'Full',
  more: 'If you need more, ask your vendor for a larger plan. What is there stays, whatever the limit.',
  nearNeed: (what: string, used: string, most: string) =>
    `The plan is nearly used up. ${isolate(what)}: ${isolate(used)} of ${isolate(most)}`,
  fullNeed: (what: string, used: string, most: string) =>
    `The plan has no more room. ${isolate(what)}: ${isolate(used)} of ${isolate(most)}`,
  endsNeed: (day: string) => `The plan ends on ${isolate(day)}. Your vendor renews it.`,
  endedNeed: (day: string) => `The plan ended on ${isolate(day)}. Everything works for now: please call your vendor.`,
  locksNeed: (day: string) => `Without a renewal the institute is locked on ${isolate(day)}.`,
  features: 'What is switched on',
  heard: 'The vendor last answered',
  heardNever: 'not yet',
  next: 'The server asks again',
  alone: 'It may stay without an answer until',
  aloneText: 'After that you are told so. Nothing stops: a vendor who is silent locks nothing.',
  ends: 'The licence ends',
  endless: 'never',
  lock: 'What a lock would mean',
  lockText: 'Only the vendor can lock the institute, with a reason that you read. As long as it is locked:',
  lockStops: [
    'Nobody works in it: no attendance, payments, invoices or changes, in the console and through other programs.',
    'The form on your website and assistants do not work.',
  ],
  lockStays: [
    'Nothing is deleted, and everything is as it was once it is opened again.',
    'People can sign in and read why it is locked.',
    'The owner can take along everything as a file.',
  ],
  lockStaysServer: 'Your own server goes on making backups.',
}
