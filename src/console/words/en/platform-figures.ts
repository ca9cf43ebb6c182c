import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** How the vendor does, month by month. */
export const platformFigures = {
  about: 'How the platform does, month by month.',
  print: 'Print',
  span: 'How far back',
  months: (count: number) => many(count, { one: '1 month', other: `${count} months` }),
  month: 'Month',
  institutes: 'Institutes',
  comeAndGo: 'Who came, who left',
  created: 'Added',
  cancelled: 'Subscription cancelled',
  archived: 'Closed for good',
  locked: 'Locked',
  students: 'Students',
  recurring: 'Monthly income',
  recurringIn: (currency: string) => `Monthly income in ${isolate(currency)}`,
  byMonth: 'Figures by month',
  byPlan: 'Monthly income by plan',
  plan: 'Plan',
  subscriptions: 'Subscriptions',
  counted:
    'Months begin and end by UTC. Students and income are counted every hour, and the last count of a month is its figure; of a month in which nobody counted there is none. A trial brings nothing, and a plan by the year a twelfth each month.',
  lists: {
    createdIn: (month: string) => `Added in ${isolate(month)}.`,
    cancelledIn: (month: string) => `Their subscription was cancelled in ${isolate(month)}.`,
    archivedIn: (month: string) => `Closed for good in ${isolate(month)}.`,
    lockedIn: (month: string) => `Locked in ${isolate(month)}, and still.`,
  },
  all: 'Show all institutes',
}
