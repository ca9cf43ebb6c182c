import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  date,
  day,
  id,
  integer,
  list,
  MAX_LIMIT,
  Money,
  orNull,
  pageQuery,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { PAYMENT_METHODS } from '#modules/billing/index.ts'
import { MOST_DAYS } from './span.ts'

const places = { branchId: v.optional(uuid), groupId: v.optional(uuid), courseId: v.optional(uuid) }
const days = { from: v.optional(date), to: v.optional(date) }

const placeWords = {
  branchId: 'Only what is of this branch.',
  groupId: 'Only what is of this group.',
  courseId: 'Only what is of this course.',
  to: `The last day, in the institute’s timezone; today where it is left out. At most ${MOST_DAYS} days after from.`,
}
const sinceMonth = { ...placeWords, from: 'The first day; that of the month where it is left out.' }
const sinceYear = { ...placeWords, from: 'The first day; that of the month 11 months before where it is left out.' }

const spanWords = { from: 'The first day that counts.', to: 'The last day that counts.' }

/** A report: its rows page by page, with the figures of all of them. */
const reportOf = <R extends v.GenericSchema, T extends v.ObjectEntries>(row: R, totals: T) =>
  v.object({ ...totals, data: v.array(row), nextCursor: v.nullable(v.string()) })

const month = v.string()
const monthWords = 'The month, as 2026-03'

// Attendance

const marks = { present: count, absent: count, late: count, excused: count, rate: orNull(v.number()) }
const markWords = {
  lessons: 'How many lessons that were marked and not cancelled.',
  present: 'How many entries: present.',
  absent: 'How many entries: absent.',
  late: 'How many entries: late.',
  excused: 'How many entries: excused.',
  rate: '100 × (present + late) / (present + late + absent); null: nothing counts.',
}

export const AttendanceReportQuery = explained(
  pageQuery(
    { ...places, ...days, by: v.optional(v.picklist(['group', 'student', 'weekday', 'month']), 'group') },
    MAX_LIMIT,
  ),
  { ...sinceMonth, by: 'What each row is of.' },
)
export type AttendanceReportQuery = v.InferOutput<typeof AttendanceReportQuery>

const AttendanceReportRow = named(
  'AttendanceReportRow',
  v.object({
    studentId: orNull(id),
    studentName: orNull(v.string()),
    groupId: orNull(id),
    groupName: orNull(v.string()),
    weekday: orNull(integer(0, 6)),
    month: orNull(month),
    lessons: count,
    ...marks,
  }),
  {
    ...markWords,
    studentId: 'Whose entries these are; null: unless by=student.',
    studentName: 'The name of the student; null: unless by=student.',
    groupId: 'Of which group; null: unless by=group.',
    groupName: 'The name of the group; null: unless by=group.',
    weekday: 'On which day of the week, from 0 (Sunday); null: unless by=weekday.',
    month: `${monthWords}; null: unless by=month.`,
  },
)

export const AttendanceReport = named(
  'AttendanceReport',
  reportOf(AttendanceReportRow, { from: day, to: day, lessons: count, ...marks }),
  { ...markWords, ...spanWords },
)
export type AttendanceReport = v.InferOutput<typeof AttendanceReport>

// Income

const income = { billed: Money, credited: Money, collected: Money }
const incomeWords = {
  billed: 'What the invoices come to that were issued with an issue date of the time and are not void.',
  credited: 'What credit notes of the time took back.',
  collected: 'What was received in the time less what was reversed and refunded, with what was paid ahead.',
}

export const IncomeReportQuery = explained(
  pageQuery(
    { ...places, ...days, by: v.optional(v.picklist(['month', 'branch', 'course', 'method']), 'month') },
    MAX_LIMIT,
  ),
  { ...sinceYear, by: 'What each row is of, besides its month.' },
)
export type IncomeReportQuery = v.InferOutput<typeof IncomeReportQuery>

const IncomeReportRow = named(
  'IncomeReportRow',
  v.object({
    month,
    branchId: orNull(id),
    branchName: orNull(v.string()),
    courseId: orNull(id),
    courseName: orNull(v.string()),
    method: orNull(v.picklist(PAYMENT_METHODS)),
    ...income,
  }),
  {
    ...incomeWords,
    month: `${monthWords}.`,
    branchId: 'The branch; null: unless by=branch.',
    branchName: 'The name of the branch; null: unless by=branch.',
    courseId: 'The course; null: what is of several courses or of none, and unless by=course.',
    courseName: 'The name of the course; null: as courseId.',
    method: 'By which way it was paid; null: what was billed and credited, and unless by=method.',
  },
)

export const IncomeReport = named(
  'IncomeReport',
  reportOf(IncomeReportRow, {
    from: day,
    to: day,
    totals: list(named('IncomeTotals', v.object(income), incomeWords)),
  }),
  { ...spanWords, totals: 'The same of all rows, for each currency; the institute’s comes first.' },
)
export type IncomeReport = v.InferOutput<typeof IncomeReport>

export const CollectedQuery = explained(
  pageQuery(
    {
      ...places,
      ...days,
      method: v.optional(v.picklist(PAYMENT_METHODS)),
      currency: v.optional(currency),
    },
    MAX_LIMIT,
  ),
  {
    ...sinceYear,
    method: 'Only what was paid, or given back, so.',
    currency: 'Only what is in this currency.',
  },
)
export type CollectedQuery = v.InferOutput<typeof CollectedQuery>

/** What a movement of money is. */
const MOVEMENTS = ['payment', 'paid_ahead', 'reversal', 'bounced', 'refund'] as const

const CollectedRow = named(
  'CollectedRow',
  v.object({
    id,
    receivedAt: ts,
    kind: v.picklist(MOVEMENTS),
    payerName: v.string(),
    studentName: orNull(v.string()),
    method: orNull(v.picklist(PAYMENT_METHODS)),
    receiptId: orNull(id),
    receiptNumber: orNull(v.string()),
    refundNumber: orNull(v.string()),
    invoiceId: orNull(id),
    invoiceNumber: orNull(v.string()),
    amount: Money,
  }),
  {
    id: 'The payment, or the entry of credit.',
    receivedAt: 'When the money came, or was given back; of a cheque, its day.',
    kind: 'What it is: a payment of an invoice, what was paid ahead, what was taken back of either, a cheque that came back, or a refund.',
    payerName: 'Who paid, as the receipt or the refund says; else the student.',
    studentName: 'The student whose invoice was paid; null: it was paid ahead, or refunded.',
    method: 'By which way; null: nobody said.',
    receiptId: 'The receipt, of what was taken back too; null: it has none.',
    receiptNumber: 'The number of the receipt; null: it has none.',
    refundNumber: 'The number of the refund; null: it is none.',
    invoiceId: 'The invoice that was paid; null: it was paid ahead, or refunded.',
    invoiceNumber: 'The number of that invoice; null: there is none.',
    amount: 'What came; below 0: what was given back.',
  },
)

export const Collected = named('Collected', reportOf(CollectedRow, { from: day, to: day, totals: list(Money) }), {
  ...spanWords,
  totals:
    'What all of them come to, in each currency; the institute’s comes first. The report says the same of the same filters.',
})
export type Collected = v.InferOutput<typeof Collected>

// Debts

const ages = {
  total: Money,
  notDue: Money,
  upTo30: Money,
  upTo60: Money,
  upTo90: Money,
  over90: Money,
  held: Money,
  credit: Money,
}
const ageWords = {
  invoices: 'How many invoices are open.',
  total: 'What is still to be paid.',
  notDue: 'What of it falls due today or later.',
  upTo30: 'What of it is late by 1 to 30 days.',
  upTo60: 'What of it is late by 31 to 60 days.',
  upTo90: 'What of it is late by 61 to 90 days.',
  over90: 'What of it is late by more than 90 days.',
  held: 'What cheques come to that are held until their day: of who pays, and those that are for these invoices. It lowers nothing yet.',
  credit: 'What who pays has in credit, which lies on no invoice yet.',
}

export const DebtsReportQuery = explained(
  pageQuery({ ...places, by: v.optional(v.picklist(['payer', 'family']), 'payer') }, MAX_LIMIT),
  {
    ...placeWords,
    by: '`payer`: who pays the invoices since they were issued; `family`: students with all who are guardians of one of them.',
  },
)
export type DebtsReportQuery = v.InferOutput<typeof DebtsReportQuery>

const DebtsReportRow = named(
  'DebtsReportRow',
  v.object({
    payerName: v.string(),
    payerGuardianId: orNull(id),
    studentId: orNull(id),
    students: list(
      named('IndebtedStudent', v.object({ studentId: id, fullName: v.string() }), { studentId: 'The student.' }),
    ),
    invoices: count,
    ...ages,
  }),
  {
    ...ageWords,
    payerName: 'Who pays; of a family, all who do.',
    payerGuardianId: 'The guardian who pays; null: a student pays, or several people do.',
    studentId: 'The student whose invoices these are; null: of several.',
    students: 'Whose invoices these are.',
  },
)

export const DebtsReport = named(
  'DebtsReport',
  reportOf(DebtsReportRow, {
    on: day,
    totals: list(named('DebtTotals', v.object({ invoices: count, ...ages }), ageWords)),
  }),
  {
    on: 'The day by which the ages go: today.',
    totals: 'The same of all rows, for each currency; the institute’s comes first.',
  },
)
export type DebtsReport = v.InferOutput<typeof DebtsReport>

// Enrollment

const moves = { joined: count, left: count, enrolled: count }
const moveWords = {
  joined: 'How many enrollments began in the time.',
  left: 'How many enrollments ended in the time.',
  enrolled: 'How many enrollments were in force after it.',
}

export const EnrollmentReportQuery = explained(
  pageQuery({ ...places, ...days, by: v.optional(v.picklist(['month', 'group', 'month_group']), 'month') }, MAX_LIMIT),
  { ...sinceYear, by: 'What each row is of.' },
)
export type EnrollmentReportQuery = v.InferOutput<typeof EnrollmentReportQuery>

const EnrollmentReportRow = named(
  'EnrollmentReportRow',
  v.object({
    month: orNull(month),
    groupId: orNull(id),
    groupName: orNull(v.string()),
    ...moves,
    seats: orNull(count),
  }),
  {
    ...moveWords,
    month: `${monthWords}; null: the whole time.`,
    groupId: 'The group; null: all groups.',
    groupName: 'The name of the group; null: all groups.',
    seats: 'How many places the group has now; null: without a limit, or not of one group.',
  },
)

export const EnrollmentReport = named(
  'EnrollmentReport',
  reportOf(EnrollmentReportRow, { from: day, to: day, ...moves }),
  { ...spanWords, ...moveWords },
)
export type EnrollmentReport = v.InferOutput<typeof EnrollmentReport>

export const EnrollmentMovesQuery = explained(
  pageQuery({ ...places, ...days, what: v.optional(v.picklist(['joined', 'left', 'enrolled']), 'joined') }, MAX_LIMIT),
  {
    ...sinceYear,
    what: 'Behind which figure of GET /reports/enrollment: who began, who ended, or who was there after it.',
  },
)
export type EnrollmentMovesQuery = v.InferOutput<typeof EnrollmentMovesQuery>

const EnrollmentMovesRow = named(
  'EnrollmentMovesRow',
  v.object({
    enrollmentId: id,
    studentId: id,
    studentName: v.string(),
    groupId: id,
    groupName: v.string(),
    enrolledAt: ts,
    endedAt: orNull(ts),
  }),
  {
    enrollmentId: 'The enrollment.',
    studentName: 'The name of the student.',
    groupName: 'The name of the group.',
    enrolledAt: 'When it began.',
    endedAt: 'When it ended, or is to end; null: no end is known.',
  },
)

export const EnrollmentMoves = named('EnrollmentMoves', reportOf(EnrollmentMovesRow, { from: day, to: day, count }), {
  ...spanWords,
  count: 'How many there are: the figure of the report.',
})
export type EnrollmentMoves = v.InferOutput<typeof EnrollmentMoves>

// Hours of teachers

const hours = { lessons: count, minutes: count }
const hourWords = { lessons: 'How many lessons were held.', minutes: 'How long they were by their times, in minutes.' }

export const StaffHoursQuery = explained(
  pageQuery({ ...places, ...days, teacherStaffId: v.optional(uuid) }, MAX_LIMIT),
  {
    ...sinceMonth,
    teacherStaffId: 'Only lessons that this teacher gave.',
  },
)
export type StaffHoursQuery = v.InferOutput<typeof StaffHoursQuery>

const StaffHoursRow = named(
  'StaffHoursRow',
  v.object({ month, teacherStaffId: orNull(id), teacherName: orNull(v.string()), ...hours }),
  {
    ...hourWords,
    month: `${monthWords}.`,
    teacherStaffId: 'Who gave them: the substitute where there was one; null: nobody is named.',
    teacherName: 'The name of the teacher; null: nobody is named.',
  },
)

export const StaffHoursReport = named('StaffHoursReport', reportOf(StaffHoursRow, { from: day, to: day, ...hours }), {
  ...spanWords,
  ...hourWords,
})
export type StaffHoursReport = v.InferOutput<typeof StaffHoursReport>
