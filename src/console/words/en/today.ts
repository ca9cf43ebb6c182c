import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** What is on today, and what needs somebody. */
export const today = {
  title: 'Today',
  now: 'now',
  takeAttendance: 'Take attendance',
  seeAttendance: 'See attendance',
  classes: 'Today’s classes',
  nextClass: 'Next class',
  currentClass: 'Now',
  cancelled: 'cancelled',
  notMarked: 'not marked',
  students: (count: number) => many(count, { one: '1 student', other: `${count} students` }),
  marked: (marked: number, all: number) => `${marked} of ${all} marked`,
  noClasses: 'No classes today.',
  noClassesAhead: 'No classes in the next seven days.',
  toGroups: 'See the groups',
  firstSteps: 'The school is new. This is the order in which the first hour goes best:',
  firstTitle: 'The first hour',
  firstAway: 'Put away',
  firstDone: 'Done',
  firstOpen: 'Open',
  firstBranches: 'Give the branch its name, and add the others',
  firstPeople: 'Invite the teachers and the office',
  firstCourse: 'Add a course: what is taught, and what it costs',
  firstGroup: 'Open a group with its times, and paste its list of students there',
  firstList: 'A list of students in Excel? Import it',
  firstClosed: 'Mark the holidays',
  firstFees: 'Say what is paid each month, and make the first invoices',
  notOnStaff: 'Your account is not linked to a record of the staff yet. Whoever manages the staff can link it.',
  earlierUnmarked: 'Not marked yet',
  showAll: (count: number) => `Show all ${count}`,
  absent: 'Absent today, as reported',
  absentUntil: (day: string) => `until ${day}`,
  walkIns: 'Came without being enrolled',
  walkInEnrol: 'Enrol',
  walkInEnrolOf: (name: string) => `Enrol ${isolate(name)}`,
  walkInEnrolled: (name: string, group: string) =>
    `${isolate(name)} is enrolled in ${isolate(group)} since that class.`,
  walkInLeave: 'Do not enrol',
  walkInLeaveOf: (name: string) => `Do not enrol ${isolate(name)}`,
  needs: 'To do',
  calm: 'Nothing to do at the moment.',
  markThem: 'Mark',
  look: 'Look',
  unmarkedTitle: 'Classes that were not marked',
  unmarkedMore: (count: number) => many(count, { one: 'And 1 older class.', other: `And ${count} older classes.` }),
  unmarkedNone: 'All classes are marked.',
  unmarkedToday: (count: number) =>
    many(count, {
      one: '1 class of today is over and not marked',
      other: `${count} classes of today are over and not marked`,
    }),
  unmarkedBefore: (count: number) =>
    many(count, { one: '1 class of past days was not marked', other: `${count} classes of past days were not marked` }),
  invoicesOverdue: (count: number, balance: string) =>
    many(count, {
      one: `1 invoice is overdue: ${isolate(balance)}`,
      other: `${count} invoices are overdue: ${isolate(balance)}`,
    }),
  invoicesDue: (count: number, balance: string) =>
    many(count, {
      one: `1 invoice falls due today: ${isolate(balance)}`,
      other: `${count} invoices fall due today: ${isolate(balance)}`,
    }),
  newLeads: (count: number) => many(count, { one: '1 new enquiry', other: `${count} new enquiries` }),
  failedMessages: (count: number) =>
    many(count, { one: '1 message could not be delivered', other: `${count} messages could not be delivered` }),
  backupNone: 'There is no backup yet',
  backupOld: (when: string) => `The newest backup is of ${isolate(when)}`,
  backupElsewhere: 'The copy of the backup in another place failed',
  licenseEnded: 'The licence has come to its end. Everything goes on working.',
  licenseSilent: (date: string) => `The vendor of the licence has not answered since ${isolate(date)}`,
  markedAbsent: (count: number) =>
    many(count, { one: 'Absent today: 1 student', other: `Absent today: ${count} students` }),
  told: 'Family told',
  messageWaits: 'Message waits',
  notTold: 'Not told',
  excused: 'Reported',
}
