import { readBounded } from '#db/queries/long-reads.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate } from '#kernel/time/zone.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { fullName } from '#modules/people/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { boundsOf, figuresOfClass, type Subject } from './figures.ts'
import type { ClassQuery, ClassReports } from './schemas.ts'
import { toAttendance, toReport } from './service.ts'

type Period = Pick<Subject, 'periodStart' | 'periodEnd'>

interface Asked {
  whole: ScopedDb
  tenant: TenantInfo
  now: string
}

/** Who has learned for longer is not written about from the beginning. */
const LONGEST_DAYS = 366

/** The period in which a class was written about last, or else the one that has begun last. */
const usualPeriod = async ({ whole, tenant, now }: Asked, groupId: string): Promise<Period> => {
  const draft = await whole
    .selectFrom('progress_report')
    .select(['period_start as periodStart', 'period_end as periodEnd'])
    .where('group_id', '=', groupId)
    .where('status', '=', 'draft')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (draft) return draft
  const today = localDate(now, tenant.timezone)
  const { terms } = await readSettings(whole)
  const term = terms.findLast(({ startsOn }) => startsOn <= today)
  if (term) return { periodStart: term.startsOn, periodEnd: today }
  const last = await whole
    .selectFrom('progress_report')
    .select(['period_start as periodStart', 'period_end as periodEnd'])
    .where('group_id', '=', groupId)
    .orderBy('period_end', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last && last.periodEnd >= today) return last
  const group = await whole.selectFrom('group').select('starts_on').where('id', '=', groupId).executeTakeFirst()
  const start = last ? addDays(last.periodEnd, 1) : (group?.starts_on ?? null)
  const isUsable = start !== null && start <= today && start > addDays(today, -LONGEST_DAYS)
  return { periodStart: isUsable ? start : `${today.slice(0, 8)}01`, periodEnd: today }
}

const ENDS = ['enrollment.dropped_at', 'enrollment.completed_at', 'enrollment.ended_at'] as const

/** Who was in the group on a day of the period, or has a report of it; by name. */
const studentsOf = (whole: ScopedDb, groupId: string, period: Period, timezone: string) => {
  const { start, end } = boundsOf(period, timezone)
  const members = whole
    .selectFrom('enrollment')
    .select('enrollment.student_id')
    .where('enrollment.group_id', '=', groupId)
    .where('enrollment.enrolled_at', '<', end)
    .where((eb) => eb.and(ENDS.map((ended) => eb.or([eb(ended, 'is', null), eb(ended, '>=', start)]))))
  const written = reportsOf(whole, groupId, period).clearSelect().select('progress_report.student_id')
  return readBounded(
    whole
      .selectFrom('student')
      .select(['id', 'first_name', 'last_name'])
      .where('id', 'in', members.union(written))
      .orderBy('sort_name')
      .orderBy('id'),
    'student.id',
  )
}

const reportsOf = (whole: ScopedDb, groupId: string, { periodStart, periodEnd }: Period) =>
  whole
    .selectFrom('progress_report')
    .selectAll()
    .where('progress_report.group_id', '=', groupId)
    .where('progress_report.period_start', '=', periodStart)
    .where('progress_report.period_end', '=', periodEnd)

/** A class over a period: the figures of now, and what was written of each student. @throws VALIDATION_ERROR */
export const readClassReports = async (
  asked: Asked,
  groupId: string,
  { periodStart, periodEnd }: ClassQuery,
): Promise<ClassReports> => {
  const usual = periodStart && periodEnd ? undefined : await usualPeriod(asked, groupId)
  const period = {
    periodStart: periodStart ?? usual?.periodStart ?? '',
    periodEnd: periodEnd ?? usual?.periodEnd ?? '',
  }
  if (period.periodEnd < period.periodStart) throw invalid(['periodEnd'], 'Must not be earlier than periodStart.')
  const { whole, tenant } = asked
  const students = await studentsOf(whole, groupId, period, tenant.timezone)
  const studentIds = students.map(({ id }) => id)
  const figuresOf = await figuresOfClass(whole, { groupId, ...period, studentIds }, tenant.timezone)
  const rows = await readBounded(
    reportsOf(whole, groupId, period).orderBy('created_at').orderBy('id'),
    'progress_report.id',
  )
  // Of several, the last one.
  const reports = new Map(rows.map((row) => [row.student_id, row]))
  return {
    groupId,
    ...period,
    students: students.map((student) => {
      const { exams, average, ...counts } = figuresOf(student.id)
      const report = reports.get(student.id)
      return {
        studentId: student.id,
        studentName: fullName(student),
        attendance: toAttendance(counts),
        exams,
        average,
        report: report ? toReport(report) : null,
      }
    }),
  }
}
