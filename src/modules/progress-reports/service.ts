import type { Caller } from '#kernel/who/actor.ts'
import { failure, Forbidden, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { attendanceRate, type AttendanceStatus } from '#modules/attendance/index.ts'
import { fullName, studentRecord } from '#modules/people/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockReferenced,
  lockReferencedRow,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records/records.ts'
import { figuresOf, type Subject } from './figures.ts'
import { ListedReport, ProgressReport, type NewProgressReport, type ProgressReportChanges } from './schemas.ts'

export const AlreadySent = failure('CONFLICT', 'already_sent', 'A report that was sent stays as it is.')
export const Submitted = failure(
  'CONFLICT',
  'submitted',
  'A report that was handed in stays as it is until whoever reads it over sends or returns it.',
)

export const toAttendance = ({ present, absent, late, excused }: Record<AttendanceStatus, number>) => ({
  present,
  absent,
  late,
  excused,
  rate: attendanceRate({ present, absent, late }),
})

export const toReport = shows(ProgressReport, { attendance: toAttendance })

export const reportRecord = recordOf('progress_report', { show: toReport })

interface Named {
  first_name: string
  last_name: string
}

/** Newest first. */
export const listReports = listOf({
  filters: {
    studentId: 'progress_report.student_id',
    groupId: 'progress_report.group_id',
    status: 'progress_report.status',
    // Only drafts wait: by their status an index finds them.
    submitted: (eb, isSubmitted: boolean) =>
      isSubmitted
        ? eb.and([eb('progress_report.status', '=', 'draft'), eb('progress_report.submitted_at', 'is not', null)])
        : eb('progress_report.submitted_at', 'is', null),
  },
  from: (db) =>
    db
      .selectFrom('progress_report')
      .innerJoin('student', 'student.id', 'progress_report.student_id')
      .leftJoin('group', 'group.id', 'progress_report.group_id')
      .selectAll('progress_report')
      .select(['student.first_name', 'student.last_name', 'group.name as group_name']),
  order: newestFirst('progress_report'),
  show: shows(ListedReport, { attendance: toAttendance, studentName: (row: Named) => fullName(row) }),
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

/** What of this somebody reaches who writes reports by the permission, not as a teacher; undefined: nothing. */
const asOffice = (tx: Tx, { grants }: Caller): ScopedDb | undefined => {
  const reach = grants.reach('reports.write')
  return reach && tx.within(reach).db
}

/** Whether somebody may send the report, or change one that was handed in: with approval on, who reads reports over. */
export const maySend = async (tx: Tx, caller: Caller, id: string): Promise<boolean> => {
  const { reportsApproval } = await readSettings(tx.whole)
  if (!reportsApproval) return true
  const office = asOffice(tx, caller)
  return office !== undefined && (await reportRecord.byId(office, { id })).length > 0
}

/** A teacher’s reports are of groups that they teach: over all groups they would tell of others. @throws Forbidden */
const checkGroup = async (tx: Tx, caller: Caller, studentId: string, groupId: string | null): Promise<void> => {
  if (groupId !== null) return
  const office = asOffice(tx, caller)
  const student = await office?.selectFrom('student').select('id').where('id', '=', studentId).executeTakeFirst()
  if (!student) throw Forbidden({ reason: 'own_groups_only' })
}

/** Drafts a report with the figures of now. @throws NotFound, PersonErased, Forbidden, VALIDATION_ERROR */
export const createReport = async (tx: Tx, caller: Caller, body: NewProgressReport): Promise<ProgressReport> => {
  await lockReferencedRow(tx, studentRecord, body.studentId)
  await checkGroup(tx, caller, body.studentId, body.groupId)
  await checkSubject(tx, body)
  const figures = await figuresOf(tx.whole, body, tx.tenant.timezone)
  return createRecord(tx, reportRecord, { ...body, ...figures, status: 'draft' })
}

/** @throws AlreadySent, Submitted */
const checkOpen = async (tx: Tx, caller: Caller, row: Row<'progress_report'>): Promise<void> => {
  if (row.status === 'sent') throw AlreadySent()
  if (row.submitted_at !== null && !(await maySend(tx, caller, row.id))) throw Submitted()
}

/** @throws NotFound, VersionConflict, AlreadySent, Submitted, Forbidden, VALIDATION_ERROR */
export const changeReport = async (
  tx: Tx,
  caller: Caller,
  id: string,
  body: ProgressReportChanges,
): Promise<ProgressReport> => {
  const row = await lockRow(tx, reportRecord, id, body.version)
  await checkOpen(tx, caller, row)
  const { groupId = row.group_id, periodStart = row.period_start, periodEnd = row.period_end } = body
  const isAnother = groupId !== row.group_id || periodStart !== row.period_start || periodEnd !== row.period_end
  if (!isAnother) return changeRecord(tx, reportRecord, row, body)
  await checkGroup(tx, caller, row.student_id, groupId)
  const subject = { studentId: row.student_id, groupId, periodStart, periodEnd }
  await checkSubject(tx, subject)
  return changeRecord(tx, reportRecord, row, { ...body, ...(await figuresOf(tx.whole, subject, tx.tenant.timezone)) })
}

/** @throws NotFound, AlreadySent, Submitted */
export const deleteReport = async (tx: Tx, caller: Caller, id: string) => {
  const row = await lockToDelete(tx, reportRecord, id)
  await checkOpen(tx, caller, row)
  return deleteRecord(tx, reportRecord, row)
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
