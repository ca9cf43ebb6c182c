import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Fees that runs charge. */
export const fees = {
  newFee: 'New fee',
  feeFor: 'Who pays it',
  chooseFeeFor: 'Choose a course or a group',
  allGroupsOf: (course: string) => `All groups of ${isolate(course)}`,
  groupOf: (group: string, course: string) => `Group ${isolate(group)} (${isolate(course)})`,
  feeAmount: 'Amount',
  feeMissing: 'Say how much it is.',
  feeEvery: 'How often',
  everyMonth: 'Every month',
  everyTerm: 'Every term',
  once: 'Once',
  feeDay: 'Day of the month on which it is due',
  feeDayHint: 'Left empty, it is due as many days after the invoice as the settings say.',
  noDay: 'A day from 1 to 31.',
  feeSaved: (name: string) => `The fee of ${isolate(name)} is saved. It is part of each run from now on.`,
  chargedBy: {
    run: 'Charged by each run.',
    registration: 'Charged once, with the first invoice of whoever is registered.',
    hand: 'Charged by hand only.',
  },
  change: (name: string) => `Change the fee ${isolate(name)}`,
  changed: (name: string) => `The fee ${isolate(name)} is changed.`,
  more: (name: string) => `More of ${isolate(name)}`,
  stop: 'Charge it no more',
  stopAsk: (name: string) => `Charge ${isolate(name)} no more?`,
  stopText: 'Invoices that exist stay as they are. It is charged no more from now on.',
  stopped: (name: string) => `${isolate(name)} is charged no more.`,
  name: 'Name',
  nameMissing: 'Type a name.',
  price: 'Price',
  prices: { enrollment: 'As agreed', schedule: 'The same for all' },
  agreed: 'Each student is charged what was agreed when they were enrolled: the price of the group, or their own.',
  proration: 'Who is there for a part of the month',
  prorations: { none: 'pays the whole month', lessons: 'pays by the lesson', days: 'pays by the day' },
  validFrom: 'Charged from',
  validTo: 'Charged until',
  endFirst: 'The last day is before the first.',
  follows: 'What follows',
  concerns: (count: number, month: string) =>
    count === 0
      ? `It concerns nobody yet. Runs charge it from ${isolate(month)} on.`
      : many(count, {
          one: `It concerns 1 student, from ${isolate(month)} on. What was billed before stays.`,
          other: `It concerns ${count} students, from ${isolate(month)} on. What was billed before stays.`,
        }),
  ownPrices: (count: number) =>
    many(count, { one: '1 of them keeps a price of their own.', other: `${count} of them keep a price of their own.` }),
  partOf: {
    lessons: (count: number, all: number) => `${count} of ${all} lessons`,
    days: (count: number, all: number) => `${count} of ${all} days`,
  },
  example: (part: string, charged: string, full: string) =>
    `For example: ${part} cost ${isolate(charged)} of ${isolate(full)}.`,
}
