import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** A person is erased who asks for it. */
export const erasure = {
  erase: 'Erase…',
  title: (name: string) => `Erase ${isolate(name)}`,
  about: 'For somebody who asks you to forget them. It cannot be undone.',
  dataFirst: 'Offer them their data first: afterwards it is gone.',
  against: 'To be seen to first',
  reasons: {
    active: () => 'Still active: withdraw or graduate the student.',
    enrolled: (count: number) => many(count, { one: 'Enrolled in 1 group.', other: `Enrolled in ${count} groups.` }),
    waiting: (count: number) => many(count, { one: 'On 1 waiting list.', other: `On ${count} waiting lists.` }),
    in_course: (count: number) =>
      many(count, { one: 'Has 1 video course: end it.', other: `Has ${count} video courses: end them.` }),
    draft: (count: number) =>
      many(count, {
        one: '1 invoice is a draft: issue or void it.',
        other: `${count} invoices are drafts: issue or void them.`,
      }),
    debt: (count: number) => many(count, { one: '1 invoice is not paid.', other: `${count} invoices are not paid.` }),
    credit: () => 'Has credit: refund it, or use it.',
    cheque: (count: number) =>
      many(count, {
        one: 'The money of 1 cheque is still to come.',
        other: `The money of ${count} cheques is still to come.`,
      }),
    online_payment: (count: number) =>
      many(count, { one: '1 card payment is not settled.', other: `${count} card payments are not settled.` }),
    payer: (count: number) =>
      many(count, {
        one: 'Pays for 1 student: name another payer.',
        other: `Pays for ${count} students: name another payer.`,
      }),
    only_guardian: (count: number) =>
      many(count, {
        one: 'The only guardian of 1 student: link another.',
        other: `The only guardian of ${count} students: link another.`,
      }),
  },
  see: 'Show',
  goes: 'Goes for good',
  details: 'Name, contact, identity number, address, notes, and what was written about the person',
  goesToo: {
    guardian_link: 'Ties to the family',
    student_pause: 'Pauses',
    announced_absence: 'Announced absences',
    progress_report: 'Progress reports',
    discount: 'Discounts',
    lead: 'Enquiries',
    file: 'Files and pictures',
    proposed_change: 'Proposed changes',
    notification: 'Messages',
  },
  account: {
    erased: 'The account is closed and signed out everywhere.',
    taken_off: 'The account is used otherwise too: it is only taken off this record.',
  },
  stays: 'Stays without a name',
  staying: {
    enrollment: 'Times in groups',
    attendance: 'Attendance',
    exam_result: 'Results of exams',
    course_enrollment: 'Video courses',
  },
  papers: 'Keeps the name',
  papersWhy: 'Tax law asks for papers as they were handed out. Sums and numbers stay too.',
  paper: { invoice: 'Invoices', receipt: 'Receipts', credit_note: 'Credit notes', refund: 'Refunds' },
  noPapers: 'No paper names this person.',
  besides: 'What you should know',
  know: [
    'Backups from before still have this person until newer ones take their place. If you restore one, erase again.',
    'Lists that were imported go by themselves within a month.',
    'Names in notes about others stay, such as in the notes of a lesson: look there yourselves.',
    'Paper, exported files and other programs are not reached from here.',
  ],
  typeName: (name: string) => `To go on, type the name: ${isolate(name)}`,
  otherName: 'This is not the name.',
  verb: 'Erase for good',
  done: 'Erased. What is left in logs and files goes within minutes.',
  erasedOn: (day: string) =>
    `Erased on ${isolate(day)}. Nothing is changed here any more; what is left is for the books and the figures.`,
  accountOf: 'Invoices and payments',
}
