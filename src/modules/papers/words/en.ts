import { once } from '#kernel/basics/once.ts'
import { code, written, type DateParts, type Gender } from '../text.ts'

/** What a certificate says of an enrollment. */
export interface Enrolled {
  name: string
  gender: Gender
  number: string
  course: string
  group: string
  since: string
  /** Of one that ended. */
  until: string
}

const months = once(() => new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }))

/** The words of papers. */
export const en = {
  // 02/03 is not the same day to everybody who reads English.
  date: ({ year, month, day }: DateParts): string =>
    `${Number(day)} ${months().format(new Date(`${year}-${month}-01T12:00Z`))} ${year}`,
  // Pieces around the numbers, since what draws the paper counts its pages.
  page: ['Page ', ' of ', ''] as readonly [string, string, string],
  original: 'Original',
  copy: 'Copy',
  draft: 'Draft',
  phone: 'Phone',
  nationalId: 'ID number',
  taxNumber: 'Tax number',
  payer: 'To',
  student: 'Student',
  students: 'Students',
  branch: 'Branch',
  invoice: {
    title: 'Invoice',
    void: 'Void',
    replaced: 'Replaced',
    voidReason: 'Voided because',
    issueDate: 'Issued on',
    dueDate: 'Due on',
    description: 'Description',
    quantity: 'Quantity',
    unitAmount: 'Price',
    discount: 'Discount',
    taxRate: 'Tax',
    amount: 'Amount',
    subtotal: 'Before discount and tax',
    tax: 'Tax',
    total: 'Total',
    date: 'Date',
    notes: 'Notes',
  },
  methods: {
    cash: 'Cash',
    card: 'Card',
    bank_transfer: 'Bank transfer',
    cheque: 'Cheque',
    online: 'Online payment',
    other: 'Other',
  },
  receipt: {
    ahead: 'Paid ahead, kept as credit',
    title: 'Receipt',
    cancelled: 'Cancelled',
    cancelledAt: 'Cancelled on',
    payer: 'Received from',
    receivedAt: 'Received on',
    method: 'By',
    reference: 'Reference',
    cheque: 'Cheque number',
    paidFor: 'For',
    invoice: 'Invoice',
    amount: 'Amount',
    total: 'Received',
    inWords: 'Sum in words',
  },
  statement: {
    title: 'Statement of account',
    from: 'From',
    to: 'To',
    date: 'Date',
    entry: 'What',
    reference: 'Invoice',
    debit: 'Owed',
    credit: 'Paid',
    balance: 'Balance',
    opening: 'Balance before',
    closing: 'Balance',
    kinds: {
      invoice: 'Invoice',
      payment: 'Payment',
      credit_note: 'Credit note',
      credit: 'Paid from credit',
      reversal: 'Payment taken back',
      void: 'Invoice voided',
    },
  },
  report: {
    title: 'Progress report',
    group: 'Group',
    course: 'Course',
    from: 'From',
    to: 'To',
    attendance: 'Attendance',
    present: 'Present',
    absent: 'Absent',
    late: 'Late',
    excused: 'Excused',
    rate: 'Attended',
    exams: 'Exams and work',
    exam: 'What',
    kind: 'Kind',
    score: 'Points',
    average: 'Average',
    missed: 'absent',
    comment: 'Comment',
    kinds: { quiz: 'Quiz', exam: 'Exam', homework: 'Homework', project: 'Project', final: 'Final exam' },
  },
  roster: {
    title: 'Class list',
    teacher: 'Teacher',
    room: 'Room',
    student: 'Student',
    count: 'Students',
    marks: { present: 'P', absent: 'A', late: 'L', excused: 'E' },
    nobody: 'Nobody is enrolled.',
  },
  contacts: {
    title: 'Contact list',
    guardian: 'Guardian',
    relation: 'Relation',
    own: 'the student',
    relations: {
      mother: 'Mother',
      father: 'Father',
      grandparent: 'Grandparent',
      sibling: 'Brother or sister',
      spouse: 'Husband or wife',
      guardian: 'Guardian',
      other: 'Other',
    },
    private: 'Personal details: for the people of the institute alone.',
  },
  certificate: {
    title: 'Certificate of enrollment',
    active: ({ name, number, course, group, since }: Enrolled): string =>
      `This is to certify that\n${written(name)}\n(student number ${code(number)})\nis enrolled in ${written(course)}, group ${written(group)},\nsince ${since}.`,
    completed: ({ name, number, course, group, since }: Enrolled): string =>
      `This is to certify that\n${written(name)}\n(student number ${code(number)})\nhas completed ${written(course)}, group ${written(group)},\nhaving been enrolled since ${since}.`,
    dropped: ({ name, number, course, group, since, until }: Enrolled): string =>
      `This is to certify that\n${written(name)}\n(student number ${code(number)})\nwas enrolled in ${written(course)}, group ${written(group)},\nfrom ${since} to ${until}.`,
    date: 'Date',
    signature: 'Signature and stamp',
  },
}

export type PaperWords = typeof en
