import { read } from '#kernel/contract/endpoint.ts'
import { failure } from '#kernel/values/errors.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { readAttendance } from './attendance.ts'
import { readCollected } from './collected.ts'
import { readDebts } from './debts.ts'
import { readEnrollment } from './enrollment.ts'
import { readEnrollmentMoves } from './enrollment-moves.ts'
import { readIncome } from './income.ts'
import {
  AttendanceReport,
  AttendanceReportQuery,
  Collected,
  CollectedQuery,
  DebtsReport,
  DebtsReportQuery,
  EnrollmentMoves,
  EnrollmentMovesQuery,
  EnrollmentReport,
  EnrollmentReportQuery,
  IncomeReport,
  IncomeReportQuery,
  StaffHoursQuery,
  StaffHoursReport,
} from './schemas.ts'
import { readStaffHours } from './staff-hours.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

const flag = 'advanced_reports'
const ALL = 'The rows of each page are of the whole report, and so are the figures beside them. All filters must hold.'
const MONEY = 'Needs invoices.read besides, and counts what both permissions reach.'

const NeedsInvoices = failure(
  'FORBIDDEN',
  'needs_invoices',
  'This report tells of money: it needs the permission invoices.read besides.',
)

/** Money is for those who read invoices too. @throws NeedsInvoices */
const withInvoices = async <
  C extends { db: ScopedDb; reachedBy(permission: 'invoices.read'): Promise<ScopedDb | undefined> },
>(
  context: C,
): Promise<C> => {
  const db = await context.reachedBy('invoices.read')
  if (!db) throw NeedsInvoices()
  return { ...context, db }
}

export const reportEndpoints = [
  read({
    id: 'reports.attendance',
    path: '/reports/attendance',
    summary: 'Read how many came, by group, student, day of the week or month',
    description: `Of the lessons that began from \`from\` to \`to\` and were not cancelled. Groups and students by how often somebody was absent, most first. ${ALL}`,
    access: 'reports.read',
    flag,
    query: AttendanceReportQuery,
    reply: AttendanceReport,
    handle: readAttendance,
  }),
  read({
    id: 'reports.income',
    path: '/reports/income',
    summary: 'Read what was billed, credited and collected, month by month',
    description: `An invoice is of a group or a course where all its lines are; what was paid ahead is of neither. Each row is of one currency. ${MONEY} ${ALL}`,
    access: 'reports.read',
    flag,
    query: IncomeReportQuery,
    reply: IncomeReport,
    fails: [NeedsInvoices, SumTooLarge],
    handle: async (context) => readIncome(await withInvoices(context)),
  }),
  read({
    id: 'reports.collected',
    path: '/reports/income/collected',
    summary: 'List what is behind the collected sums of the report about income',
    description: `The ledger of a time: each payment, what was paid ahead, what of these was taken back and what was refunded, by the day on which the money came or went, the first of them first. Their sums are what GET /reports/income says was collected for the same time and place; \`method\` and \`currency\` are those of its rows. A cheque that is held counts on its day, as its payment does; its receipt was given before. ${MONEY} ${ALL}`,
    access: 'reports.read',
    flag,
    query: CollectedQuery,
    reply: Collected,
    fails: [NeedsInvoices, SumTooLarge],
    handle: async (context) => readCollected(await withInvoices(context)),
  }),
  read({
    id: 'reports.debts',
    path: '/reports/debts',
    summary: 'Read who owes how much, and since when',
    description: `Open invoices by their due date, as of today; who owes most comes first. With \`groupId\` or \`courseId\`, invoices with a line of it. Each row is of one currency. ${MONEY} ${ALL}`,
    access: 'reports.read',
    flag,
    query: DebtsReportQuery,
    reply: DebtsReport,
    fails: [NeedsInvoices, SumTooLarge],
    handle: async (context) => readDebts(await withInvoices(context)),
  }),
  read({
    id: 'reports.enrollment',
    path: '/reports/enrollment',
    summary: 'Read who joined and left, by month and group',
    description: `Enrollments by the days on which they began and ended, in the institute’s timezone. ${ALL}`,
    access: 'reports.read',
    flag,
    query: EnrollmentReportQuery,
    reply: EnrollmentReport,
    handle: readEnrollment,
  }),
  read({
    id: 'reports.enrollment-moves',
    path: '/reports/enrollment/moves',
    summary: 'List who is behind a figure of the report about enrollment',
    description: `The enrollments that GET /reports/enrollment counts for the same time and place, first begun, or ended, first. ${ALL}`,
    access: 'reports.read',
    flag,
    query: EnrollmentMovesQuery,
    reply: EnrollmentMoves,
    handle: readEnrollmentMoves,
  }),
  read({
    id: 'reports.staff-hours',
    path: '/reports/staff-hours',
    summary: 'Read how many lessons and hours each teacher gave, month by month',
    description: `Of the lessons that were held: whose attendance was taken. ${ALL}`,
    access: 'reports.read',
    flag,
    query: StaffHoursQuery,
    reply: StaffHoursReport,
    handle: readStaffHours,
  }),
]
