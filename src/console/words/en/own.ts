import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** What families see of their children, and students of themselves. */
export const own = {
  children: 'Children',
  child: 'Student',
  nobody: 'No student is linked to your account. The school’s office can see to that.',
  places: (name: string) => `About ${isolate(name)}`,
  lessons: 'Lessons',
  marks: 'Marks',
  money: 'Payments',
  present: 'Was there',
  absent: 'Was not there',
  late: 'Came late',
  lateBy: (minutes: number) => many(minutes, { one: 'Came 1 minute late', other: `Came ${minutes} minutes late` }),
  excused: 'Excused',
  unmarked: 'Not marked yet',
  announcedToday: 'Does not come today, as announced',
  announceFollows: 'The teachers see it on the lists of these days.',
  nextLessons: 'Next lessons',
  noLessons: 'No lesson in the next two weeks.',
  noMarks: 'No marks have been published yet.',
  courses: 'Video courses',
  progress: (done: number, all: number) => `${done} of ${all} lessons done`,
  completed: 'Completed',
  pending: 'Opens once it is paid',
  toPay: (amount: string) => `${isolate(amount)} to pay`,
  paperOf: (number: string) => `PDF of ${isolate(number)}`,
  howToPay: 'How to pay',
  noReceipts: 'Nothing has been paid yet.',
  paidInvoices: 'Paid invoices',
  takenBack: 'Taken back',
  told: 'Homework and files of the last lessons',
  filesOf: (group: string, day: string) => `${isolate(group)}, ${isolate(day)}`,
}
