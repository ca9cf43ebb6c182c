import { readBounded } from '#db/queries/long-reads.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { enrolledAtStart } from '#modules/attendance/index.ts'
import { OPEN } from '#modules/billing/index.ts'
import { fullName, ownChildIds, ownStudentId } from '#modules/people/index.ts'
import { latestSentReports } from '#modules/progress-reports/index.ts'
import type { OwnFamily, OwnReport } from './schemas.ts'
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

const readReports = async (whole: ScopedDb, studentId: string): Promise<OwnReport[]> => {
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

/** The caller as a student, and the caller’s children. @throws SumTooLarge */
export const readOwnFamily = async ({
  whole,
  caller,
  tenant,
  now,
}: {
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
}): Promise<OwnFamily> => {
  const self = await ownStudentId(whole, caller)
  const ids = [...new Set([...(self === null ? [] : [self]), ...(await ownChildIds(whole, caller))])]
  if (ids.length === 0) return { people: [] }
  const students = await whole
    .selectFrom('student')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .orderBy('first_name')
    .orderBy('last_name')
    .orderBy('id')
    .execute()
  const groups = await readGroups(whole, ids)
  const rates = await readRates({ db: whole, tenant, now }, ids)
  const open = await readOpenInvoices(whole, ids)
  const people: Person[] = []
  for (const row of students) {
    const invoices = open.get(row.id) ?? []
    const inCurrency = invoices.filter(({ balance }) => balance.currency === tenant.currency)
    people.push({
      studentId: row.id,
      fullName: fullName(row),
      relation: row.id === self ? 'student' : 'guardian',
      groups: groups.get(row.id) ?? [],
      attendanceRate30d: rates.get(row.id) ?? null,
      nextSession: await nextSessionOf(whole, row.id, now),
      balance: money(exactSum(inCurrency.map(({ balance }) => balance.amountMinor)), tenant.currency),
      openInvoices: invoices,
      reports: tenant.features.basic_reports ? await readReports(whole, row.id) : [],
    })
  }
  const isSelf = ({ relation }: Person): boolean => relation === 'student'
  return { people: [...people.filter(isSelf), ...people.filter((person) => !isSelf(person))] }
}
