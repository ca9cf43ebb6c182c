import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { ATTENDANCE_STATUSES, type AttendanceStatus } from '#modules/attendance/index.ts'
import type { ExamFigure } from './schemas.ts'

/** What a report is about. Both days are inclusive, in the institute's timezone. */
export interface Subject {
  studentId: string
  /** Null: all groups. */
  groupId: string | null
  periodStart: string
  periodEnd: string
}

export type Figures = Record<AttendanceStatus, number> & { exams: ExamFigure[]; average: number | null }

/** The instants at which the period begins and the day after it does. */
const boundsOf = ({ periodStart, periodEnd }: Subject, timezone: string) => ({
  start: startOfLocalDay(periodStart, timezone),
  end: startOfLocalDay(addDays(periodEnd, 1), timezone),
})

const countAttendance = async (whole: ScopedDb, subject: Subject, timezone: string) => {
  const { start, end } = boundsOf(subject, timezone)
  let entries = whole
    .selectFrom('attendance')
    .innerJoin('session', 'session.id', 'attendance.session_id')
    .where('attendance.student_id', '=', subject.studentId)
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)
  if (subject.groupId !== null) entries = entries.where('session.group_id', '=', subject.groupId)
  const rows = await entries
    .select(({ fn }) => ['attendance.status', fn.countAll<number>().as('count')])
    .groupBy('attendance.status')
    .execute()
  const counted = new Map(rows.map((row) => [row.status, row.count]))
  return Object.fromEntries(ATTENDANCE_STATUSES.map((status) => [status, counted.get(status) ?? 0])) as Record<
    AttendanceStatus,
    number
  >
}

/**
 * The published exams of the period in which the student has a result, in the order in which they were held. An exam without
 * a date counts on the day of its publication.
 */
const findExams = async (whole: ScopedDb, subject: Subject, timezone: string): Promise<ExamFigure[]> => {
  let results = whole
    .selectFrom('exam_result')
    .innerJoin('exam', 'exam.id', 'exam_result.exam_id')
    .where('exam_result.student_id', '=', subject.studentId)
    .where('exam.published_at', 'is not', null)
  if (subject.groupId !== null) results = results.where('exam.group_id', '=', subject.groupId)
  const rows = await results
    .select(['exam.id as examId', 'exam.title', 'exam.kind', 'exam_result.score', 'exam_result.is_absent'])
    .select(['exam.max_score as maxScore', 'exam.weight', 'exam.held_at', 'exam.published_at'])
    .orderBy('exam.id')
    .execute()
  return rows
    .map((row) => ({ ...row, date: row.held_at ?? localDate(row.published_at as string, timezone) }))
    .filter(({ date }) => date >= subject.periodStart && date <= subject.periodEnd)
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
    .map(({ examId, title, kind, score, is_absent, maxScore, weight }) => ({
      examId,
      title,
      kind,
      score: is_absent ? null : score,
      maxScore,
      weight,
    }))
}

/**
 * The weighted mean of what was scored, in percent of maxScore, to one decimal. Exams that the student missed and exams of no
 * points or no weight do not count; null when none counts.
 */
export const averageOf = (exams: readonly Pick<ExamFigure, 'score' | 'maxScore' | 'weight'>[]): number | null => {
  let sum = 0
  let weights = 0
  for (const { score, maxScore, weight } of exams) {
    if (score === null || maxScore === 0) continue
    sum += (weight * score) / maxScore
    weights += weight
  }
  return weights === 0 ? null : Math.round((1000 * sum) / weights) / 10
}

/** What attendance and exams say of the student, of all the student's groups whoever asks: a report is of one student. */
export const figuresOf = async (whole: ScopedDb, subject: Subject, timezone: string): Promise<Figures> => {
  const attendance = await countAttendance(whole, subject, timezone)
  const exams = await findExams(whole, subject, timezone)
  return { ...attendance, exams, average: averageOf(exams) }
}
