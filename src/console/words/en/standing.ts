import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** How a student stands: pausing, leaving and coming back, and what follows. */
export const standing = {
  title: {
    active: (name: string) => `Make ${isolate(name)} active?`,
    paused: (name: string) => `${isolate(name)} pauses`,
    graduated: (name: string) => `${isolate(name)} graduates`,
    withdrawn: (name: string) => `${isolate(name)} leaves`,
  },
  staysActive: 'From now on the student stands on the lists of their groups.',
  changePause: 'Change the pause',
  from: 'First day',
  to: 'Last day',
  toHint: 'Left empty, the pause has no end yet.',
  dayMissing: 'Type the day.',
  endFirst: 'The last day is before the first.',
  lastDay: 'Last day',
  lastDayHint: 'This day is still one of theirs.',
  reason: 'Why',
  follows: 'What follows',
  noGroups: 'They are in no group.',
  missed: (count: number) =>
    many(count, { one: '1 lesson falls into the pause', other: `${count} lessons fall into the pause` }),
  until: (day: string) => `until ${isolate(day)}`,
  stillComes: (count: number) =>
    count === 0 ? 'no lesson until then' : many(count, { one: '1 more lesson', other: `${count} more lessons` }),
  feeOf: (month: string) => `Fees of ${isolate(month)}`,
  nothing: 'nothing',
  same: (amount: string) => `stay at ${isolate(amount)}`,
  becomes: (before: string, after: string) => `${isolate(after)} in place of ${isolate(before)}`,
  paidAhead: 'Paid ahead',
  paidAheadText: (amount: string) => `${isolate(amount)} for months after the last day`,
  pauseText: 'On these days the student stands on no class list, and nobody is told of an absence.',
  leaveText: 'Past attendance and the invoices that exist stay as they are.',
  pauses: (from: string, to: string | null) =>
    to === null ? `Pauses since ${isolate(from)}` : `Pauses until ${isolate(to)}`,
  willPause: (from: string, to: string | null) =>
    to === null ? `Will pause from ${isolate(from)}` : `Will pause from ${isolate(from)} to ${isolate(to)}`,
  willLeave: {
    graduated: (day: string) => `Graduates on ${isolate(day)}`,
    withdrawn: (day: string) => `Leaves on ${isolate(day)}`,
  },
  left: (day: string) => `Last day: ${isolate(day)}`,
  takeBack: 'Take back',
  tookBack: (name: string) => `${isolate(name)} goes on as before.`,
  saved: (name: string) => `It is noted for ${isolate(name)}.`,
}
