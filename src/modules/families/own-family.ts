import { readBounded } from '#db/queries/long-reads.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { enrolledAtStart } from '#modules/attendance/index.ts'
import { OPEN } from '#modules/billing/index.ts'
import { isPaidOnline } from '#modules/online-payments/index.ts'
import { latestSentReports } from '#modules/progress-reports/index.ts'
import { readToday } from './own-day.ts'
import { ownPeople } from './own-people.ts'
import type { OwnFamily, OwnReport } from './own-schemas.ts'
import { readGroups, readRates } from './students.ts'

/** How many progress reports of each student. */
export const LATEST_REPORTS = 12

type Person = OwnFamily['people'][number]

/** The session of a student that goes on now or comes next. */
const nextSessionOf = async (whole: ScopedDb, studentId: string, now: string): Promise<Person['nextSession']> => {
  const next = await whole
    .selectFrom('enrollment')
    .innerJoin('session', 'session.group_id', 'enrollment.group_id')
    .innerJoin('group', 'group.id', 'session.group_id')
    .select(['session.id as sessionId', 'session.group_id as groupId', 'group.name as groupName', 'group.room'])
    .select(['session.scheduled_start as scheduledStart', 'session.scheduled_end as scheduledEnd'])
    .where('enrollment.student_id', '=', studentId)
    .where('enrollment.status', '=', 'active')
    .where('session.status', '!=', 'cancelled')
    .where('session.scheduled_end', '>', now)
    .where(enrolledAtStart)
    .orderBy('session.scheduled_start')
    .orderBy('session.id')
    .limit(1)
    .executeTakeFirst()
  return next ?? null
}

const readOpenInvoices = async (whole: ScopedDb, studentIds: readonly string[]) => {
  if (studentIds.length === 0) return new Map<string, Person['openInvoices']>()
  const rows = await readBounded(
    whole
      .selectFrom('invoice')
      .select(['id', 'number', 'student_id', 'status', 'due_date', 'currency', 'total_minor', 'paid_minor'])
      .where('student_id', 'in', studentIds)
      .where('status', 'in', OPEN)
      .orderBy('due_date')
      .orderBy('id'),
    'invoice.id',
  )
  const invoices = rows.map(({ currency, ...row }) => ({
    id: row.id,
    number: row.number,
    studentId: row.student_id,
    status: row.status,
    dueDate: row.due_date,
    total: money(row.total_minor, currency),
    paid: money(row.paid_minor, currency),
    balance: money(row.total_minor - row.paid_minor, currency),
  }))
  return Map.groupBy(invoices, ({ studentId }) => studentId)
}

export const readReports = async (whole: ScopedDb, studentId: string): Promise<OwnReport[]> => {
  const sent = await latestSentReports(whole, studentId, LATEST_REPORTS)
  return sent.map(({ id, groupId, periodStart, periodEnd, attendance, exams, average, comment, sentAt }) => ({
    id,
    groupId,
    periodStart,
    periodEnd,
    attendance,
    exams,
    average,
    comment,
    sentAt: sentAt as string,
  }))
}

interface Asked {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
}

/** The caller as a student, and the caller’s children. @throws SumTooLarge */
export const readOwnFamily = async (asked: Asked): Promise<OwnFamily> => {
  const { whole, caller, tenant, now } = asked
  const own = await ownPeople(whole, caller)
  if (own.length === 0) return { people: [], isPaidOnline: false }
  const learning = own.filter(({ seesLearning }) => seesLearning).map(({ studentId }) => studentId)
  const groups = learning.length === 0 ? new Map() : await readGroups(whole, learning)
  const rates = learning.length === 0 ? new Map() : await readRates({ ...asked, db: whole }, learning)
  const todayOf = await readToday(asked, learning)
  const open = await readOpenInvoices(
    whole,
    own.filter(({ seesMoney }) => seesMoney).map(({ studentId }) => studentId),
  )
  const people: Person[] = []
  for (const person of own) {
    const { studentId, seesLearning, seesMoney } = person
    const invoices = open.get(studentId) ?? []
    const inCurrency = invoices.filter(({ balance }) => balance.currency === tenant.currency)
    people.push({
      ...person,
      groups: groups.get(studentId) ?? [],
      attendanceRate30d: rates.get(studentId) ?? null,
      ...todayOf(studentId),
      nextSession: seesLearning ? await nextSessionOf(whole, studentId, now) : null,
      balance: seesMoney
        ? money(exactSum(inCurrency.map(({ balance }) => balance.amountMinor)), tenant.currency)
        : null,
      openInvoices: invoices,
      reports: seesLearning && tenant.features.basic_reports ? await readReports(whole, studentId) : [],
    })
  }
  return { people, isPaidOnline: await isPaidOnline(whole) }
}
