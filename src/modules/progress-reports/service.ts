import { actingUserId } from '#kernel/who/actor.ts'
import { failure, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { attendanceRate, type AttendanceStatus } from '#modules/attendance/index.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockReferenced,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records/records.ts'
import { figuresOf, type Subject } from './figures.ts'
import { ProgressReport, type NewProgressReport, type ProgressReportChanges } from './schemas.ts'

export const AlreadySent = failure('CONFLICT', 'already_sent', 'A report that was sent stays as it is.')

const toReport = shows(ProgressReport, {
  attendance: ({ present, absent, late, excused }: Record<AttendanceStatus, number>) => ({
    present,
    absent,
    late,
    excused,
    rate: attendanceRate({ present, absent, late }),
  }),
})

export const reportRecord = recordOf('progress_report', { show: toReport })

/** Newest first. */
export const listReports = listOf({
  filters: {
    studentId: 'progress_report.student_id',
    groupId: 'progress_report.group_id',
    status: 'progress_report.status',
  },
  from: (db) => db.selectFrom('progress_report').selectAll(),
  order: newestFirst('progress_report'),
  show: toReport,
})

/** @throws NotFound for the group, VALIDATION_ERROR for one in which the student never was, or a period that ends early */
const checkSubject = async (tx: Tx, { studentId, groupId, periodStart, periodEnd }: Subject): Promise<void> => {
  if (periodEnd < periodStart) throw invalid(['periodEnd'], 'Must not be earlier than periodStart.')
  if (groupId === null) return
  await lockReferenced(tx, 'group', groupId)
  const enrollment = await tx.whole
    .selectFrom('enrollment')
    .select('id')
    .where('student_id', '=', studentId)
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  if (!enrollment) throw invalid(['groupId'], 'Must be a group in which the student is or was enrolled.')
}

/** Drafts a report with the figures of now. @throws NotFound, VALIDATION_ERROR */
export const createReport = async (tx: Tx, body: NewProgressReport): Promise<ProgressReport> => {
  await lockReferenced(tx, 'student', body.studentId)
  await checkSubject(tx, body)
  const figures = await figuresOf(tx.whole, body, tx.tenant.timezone)
  return createRecord(tx, reportRecord, { ...body, ...figures, status: 'draft' })
}

/** @throws NotFound, VersionConflict, AlreadySent, VALIDATION_ERROR */
export const changeReport = async (tx: Tx, id: string, body: ProgressReportChanges): Promise<ProgressReport> => {
  const row = await lockRow(tx, reportRecord, id, body.version)
  if (row.status === 'sent') throw AlreadySent()
  const { groupId = row.group_id, periodStart = row.period_start, periodEnd = row.period_end } = body
  const isAnother = groupId !== row.group_id || periodStart !== row.period_start || periodEnd !== row.period_end
  if (!isAnother) return changeRecord(tx, reportRecord, row, body)
  const subject = { studentId: row.student_id, groupId, periodStart, periodEnd }
  await checkSubject(tx, subject)
  return changeRecord(tx, reportRecord, row, { ...body, ...(await figuresOf(tx.whole, subject, tx.tenant.timezone)) })
}

/** @throws NotFound, AlreadySent */
export const deleteReport = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, reportRecord, id)
  if (row.status === 'sent') throw AlreadySent()
  return deleteRecord(tx, reportRecord, row)
}

/** Sends a draft, once: its figures stay as they are. Records progress_report.sent. @throws NotFound, AlreadySent */
export const sendReport = async (tx: Tx, id: string): Promise<ProgressReport> => {
  const row = await lockRow(tx, reportRecord, id)
  if (row.status === 'sent') throw AlreadySent()
  tx.emit('progress_report.sent', { progressReportId: id, studentId: row.student_id, sentAt: tx.now })
  return changeRecord(tx, reportRecord, row, {
    status: 'sent',
    sentAt: tx.now,
    sentByUserId: actingUserId(tx.actor),
  })
}

/** The student of a progress report that was sent; a draft is nobody's to read yet. */
export const studentOfSentReport = async (whole: ScopedDb, reportId: string): Promise<string | null> => {
  const report = await whole
    .selectFrom('progress_report')
    .select('student_id')
    .where('id', '=', reportId)
    .where('status', '=', 'sent')
    .executeTakeFirst()
  return report?.student_id ?? null
}

/** The latest reports of a student that were sent, latest first. */
export const latestSentReports = async (
  whole: ScopedDb,
  studentId: string,
  most: number,
): Promise<ProgressReport[]> => {
  const rows = await whole
    .selectFrom('progress_report')
    .selectAll()
    .where('student_id', '=', studentId)
    .where('status', '=', 'sent')
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(toReport)
}
