import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { ATTENDANCE_STATUSES, type AttendanceStatus } from '#modules/attendance/index.ts'
import { averageOf } from '#modules/exams/index.ts'
import type { ExamFigure } from './schemas.ts'

/** What a report is about. Both days are inclusive, in the institute's timezone. */
export interface Subject {
  studentId: string
  /** Null: all groups. */
  groupId: string | null
  periodStart: string
  periodEnd: string
}

export type Figures = Counts & { exams: ExamFigure[]; average: number | null }

/** The instants at which the period begins and the day after it does. */
export const boundsOf = ({ periodStart, periodEnd }: Pick<Subject, 'periodStart' | 'periodEnd'>, timezone: string) => ({
  start: startOfLocalDay(periodStart, timezone),
  end: startOfLocalDay(addDays(periodEnd, 1), timezone),
})

/** What a report is about, of several students. */
export type Class = Omit<Subject, 'studentId'> & { studentIds: readonly string[] }

type Counts = Record<AttendanceStatus, number>

const NONE = Object.fromEntries(ATTENDANCE_STATUSES.map((status) => [status, 0])) as Counts

const countAttendance = async (
  whole: ScopedDb,
  subject: Class,
  timezone: string,
): Promise<ReadonlyMap<string, Counts>> => {
  const { start, end } = boundsOf(subject, timezone)
  let entries = whole
    .selectFrom('attendance')
    .innerJoin('session', 'session.id', 'attendance.session_id')
    .where('attendance.student_id', 'in', subject.studentIds)
    .where('session.scheduled_start', '>=', start)
    .where('session.scheduled_start', '<', end)
  if (subject.groupId !== null) entries = entries.where('session.group_id', '=', subject.groupId)
  const rows = await entries
    .select(({ fn }) => ['attendance.student_id', 'attendance.status', fn.countAll<number>().as('count')])
    .groupBy(['attendance.student_id', 'attendance.status'])
    .execute()
  const counted = new Map<string, Counts>()
  for (const { student_id: id, status, count } of rows) {
    counted.set(id, { ...(counted.get(id) ?? NONE), [status]: count })
  }
  return counted
}

/**
 * The published exams of the period in which a student has a result, in the order in which they were held. An exam without
 * a date counts on the day of its publication.
 */
const findExams = async (
  whole: ScopedDb,
  subject: Class,
  timezone: string,
): Promise<ReadonlyMap<string, ExamFigure[]>> => {
  let results = whole
    .selectFrom('exam_result')
    .innerJoin('exam', 'exam.id', 'exam_result.exam_id')
    .where('exam_result.student_id', 'in', subject.studentIds)
    .where('exam.published_at', 'is not', null)
  if (subject.groupId !== null) results = results.where('exam.group_id', '=', subject.groupId)
  const rows = await results
    .select(['exam_result.student_id', 'exam_result.score', 'exam_result.is_absent'])
    .select(['exam.id as examId', 'exam.title', 'exam.kind', 'exam.max_score as maxScore', 'exam.weight'])
    .select(['exam.held_at', 'exam.published_at'])
    .orderBy('exam.id')
    .execute()
  const dated = rows
    .map((row) => ({ ...row, date: row.held_at ?? localDate(row.published_at as string, timezone) }))
    .filter(({ date }) => date >= subject.periodStart && date <= subject.periodEnd)
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
  const exams = new Map<string, ExamFigure[]>()
  for (const { student_id: id, examId, title, kind, score, is_absent, maxScore, weight } of dated) {
    const figure = { examId, title, kind, score: is_absent ? null : score, maxScore, weight }
    exams.set(id, [...(exams.get(id) ?? []), figure])
  }
  return exams
}

/** What attendance and exams say of each student, of all their groups whoever asks: a report is of one student. */
export const figuresOfClass = async (
  whole: ScopedDb,
  subject: Class,
  timezone: string,
): Promise<(studentId: string) => Figures> => {
  const isEmpty = subject.studentIds.length === 0
  const attendance = isEmpty ? undefined : await countAttendance(whole, subject, timezone)
  const exams = isEmpty ? undefined : await findExams(whole, subject, timezone)
  return (studentId) => {
    const sat = exams?.get(studentId) ?? []
    return { ...(attendance?.get(studentId) ?? NONE), exams: sat, average: averageOf(sat) }
  }
}

/** What attendance and exams say of one student. */
export const figuresOf = async (
  whole: ScopedDb,
  { studentId, ...subject }: Subject,
  timezone: string,
): Promise<Figures> => (await figuresOfClass(whole, { ...subject, studentIds: [studentId] }, timezone))(studentId)
