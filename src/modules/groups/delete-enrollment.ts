import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { deleteRecord, lockToDelete, readRecord, type Row } from '#runtime/records/records.ts'
import { enrollmentRecord } from './enrollments.ts'

export const EnrollmentInUse = failure(
  'CONFLICT',
  'enrollment_in_use',
  'Something hangs on this enrollment: it can be ended, but not deleted.',
  {
    details: {
      schema: explained(v.object({ attendance: count, charges: count, results: count }), {
        attendance: 'How many entries of attendance the student has for its time.',
        charges: 'How many lines of invoices are about it.',
        results: 'How many results of the group’s exams the student has.',
      }),
      example: { attendance: 3, charges: 1, results: 0 },
    },
  },
)

/** What would be left without the enrollment. */
const hangingOn = async ({ whole }: Tx, enrollment: Row<'enrollment'>) => {
  const { id, student_id: studentId, group_id: groupId } = enrollment
  const end = enrollment.dropped_at ?? enrollment.completed_at
  const marks = whole
    .selectFrom('attendance')
    .innerJoin('session', 'session.id', 'attendance.session_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('attendance.student_id', '=', studentId)
    .where('session.group_id', '=', groupId)
    .where('session.scheduled_start', '>=', enrollment.enrolled_at)
  const inTime = end === null ? marks : marks.where('session.scheduled_start', '<', end)
  const marked = await inTime.executeTakeFirstOrThrow()
  const charged = await whole
    .selectFrom('invoice_line')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('enrollment_id', '=', id)
    .executeTakeFirstOrThrow()
  const scored = await whole
    .selectFrom('exam_result')
    .innerJoin('exam', 'exam.id', 'exam_result.exam_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('exam_result.student_id', '=', studentId)
    .where('exam.group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return { attendance: marked.count, charges: charged.count, results: scored.count }
}

/** Whoever takes attendance of a session of the group at this moment is waited for, and waits. */
const lockSessions = async ({ whole }: Tx, groupId: string): Promise<void> => {
  const sessions = whole.selectFrom('session').select('id').where('group_id', '=', groupId)
  await forNoKeyUpdate(whole, sessions.where('status', '!=', 'cancelled').orderBy('id')).execute()
}

/**
 * Takes back an enrollment that was made by mistake, while nothing hangs on it. One that is active ends for whoever has
 * heard of it. @throws NotFound, EnrollmentInUse
 */
export const deleteEnrollment = async (tx: Tx, id: string) => {
  const { groupId } = await readRecord(tx.db, enrollmentRecord, id)
  await lockSessions(tx, groupId)
  const row = await lockToDelete(tx, enrollmentRecord, id)
  const hanging = await hangingOn(tx, row)
  if (Object.values(hanging).some((number) => number > 0)) throw EnrollmentInUse(hanging)
  if (row.status === 'active') {
    tx.emit('enrollment.dropped', { enrollmentId: id, studentId: row.student_id, groupId: row.group_id, reason: null })
  }
  return deleteRecord(tx, enrollmentRecord, row)
}
