import * as v from 'valibot'
import { forKeyShare } from '#db/dialect.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure, Forbidden, found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { localDate } from '#kernel/time/zone.ts'
import { explained } from '#kernel/values/named.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  recordOf,
  isEmpty,
  lockReferenced,
  lockRow,
} from '#runtime/records/records.ts'
import { listUnder } from '#runtime/records/lists.ts'
import { longUntil } from '#modules/schedule-conflicts/index.ts'
import { closuresOf } from './closed.ts'
import { coverNew } from './covered.ts'
import { standsAsPlanned } from './generation.ts'
import { noticeSession } from './notices.ts'
import { Session, type NewSession, type SessionChanges } from './schemas.ts'
import { SESSION_STATUSES, type Homework, type SessionStatus } from './tables.ts'
import { forgetTeacherOf, storeTeacher, type SessionRow } from './teachers.ts'
import { writerOf } from './writers.ts'

export const SessionNotScheduled = failure(
  'CONFLICT',
  'session_not_scheduled',
  'A session that was held or cancelled can be neither cancelled nor moved to another time.',
  {
    details: {
      schema: explained(v.object({ status: v.picklist(SESSION_STATUSES) }), { status: 'How the record stands.' }),
      example: { status: 'held' },
    },
  },
)

export const DayClosed = failure('CONFLICT', 'day_closed', 'The institute is closed on that day.', {
  details: {
    schema: explained(v.object({ closureId: v.string(), name: v.string() }), {
      closureId: 'The closed days.',
      name: 'What they are called.',
    }),
    example: { closureId: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'Eid al-Fitr' },
  },
})

/** @throws DayClosed */
const checkOpen = async ({ whole, tenant }: Tx, groupId: string, start: string): Promise<void> => {
  const { branch_id: branchId } = await whole
    .selectFrom('group')
    .select('branch_id')
    .where('id', '=', groupId)
    .executeTakeFirstOrThrow()
  const date = localDate(start, tenant.timezone)
  const [closure] = await closuresOf(whole, branchId, { from: date, until: date })
  if (closure) throw DayClosed({ closureId: closure.id, name: closure.name })
}

export const toSession = shows(Session, {
  teacherStaffId: (row: Pick<SessionRow, 'status' | 'teacher_staff_id'> & { given_by: string | null }) =>
    row.status === 'held' ? row.given_by : row.teacher_staff_id,
})

const shown = (db: ScopedDb) =>
  db
    .selectFrom('session')
    .selectAll('session')
    .select((eb) =>
      eb
        .selectFrom('session_teacher')
        .select('session_teacher.staff_id')
        .whereRef('session_teacher.session_id', '=', 'session.id')
        .as('given_by'),
    )

/** Lists a group's sessions that begin from `from` to `to`, both inclusive, in order of time. */
export const listSessions = listUnder(
  { table: 'group', column: 'session.group_id' },
  {
    filters: {
      from: (eb, from: string) => eb('session.scheduled_start', '>=', from),
      to: (eb, to: string) => eb('session.scheduled_start', '<=', to),
      status: (eb, statuses: readonly SessionStatus[]) => eb('session.status', 'in', statuses),
    },
    from: shown,
    order: {
      columns: ['session.scheduled_start', 'session.id'],
      direction: 'asc',
      position: (row) => [row.scheduled_start, row.id],
    },
    show: toSession,
  },
)

/** @throws NotFound also when the caller does not reach it */
export const readSession = async (db: ScopedDb, id: string): Promise<Session> =>
  toSession(found(await shown(db).where('session.id', '=', id).executeTakeFirst()))

export const sessionRecord = recordOf('session', {
  read: readSession,
  derived: (row) => ({ long_until: longUntil(row.scheduled_start, row.scheduled_end) }),
})

/**
 * Marks a locked session as held, and stores who gave it, so that a new teacher of the group does not change that. Also
 * stores the version of its attendance and, with `rosterComplete`, that its whole roster has an entry.
 */
export const markHeld = async (
  tx: Tx,
  session: SessionRow,
  { rosterComplete, attendanceVersion }: { rosterComplete: boolean; attendanceVersion: number },
): Promise<void> => {
  const { db, now } = tx
  const changesSession = session.status !== 'held' || rosterComplete
  if (session.status !== 'held') await storeTeacher(tx, session, session.teacher_staff_id)
  await db
    .updateTable('session')
    .set({
      status: 'held',
      attendance_version: attendanceVersion,
      ...(rosterComplete && { roster_complete_at: now }),
      // Who changes an entry again leaves the session itself as it is.
      ...(changesSession && { updated_at: now }),
    })
    .where('id', '=', session.id)
    .execute()
}

/** Marks a locked session of which no entry is left as scheduled: nobody gave it yet. */
export const markScheduled = async (tx: Tx, session: SessionRow, attendanceVersion: number): Promise<void> => {
  await forgetTeacherOf(tx, session.id)
  await tx.db
    .updateTable('session')
    .set({ status: 'scheduled', attendance_version: attendanceVersion, updated_at: tx.now })
    .where('id', '=', session.id)
    .execute()
}

const checkTimes = (start: string, end: string): void => {
  if (end <= start) throw invalid(['scheduledEnd'], 'Must be later than scheduledStart.')
}

/** @throws VALIDATION_ERROR for homework that would be due before the lesson */
const checkHomework = ({ tenant }: Tx, homework: Homework | null, start: string): void => {
  if (homework?.dueOn && homework.dueOn < localDate(start, tenant.timezone)) {
    throw invalid(['homework', 'dueOn'], 'Must not be before the session.')
  }
}

/** @throws NotFound; VALIDATION_ERROR for a lesson of another course than the group's */
const lockLesson = async (tx: Tx, groupId: string, lessonId: string): Promise<void> => {
  await lockReferenced(tx, 'lesson', lessonId)
  const ofCourse = await tx.whole
    .selectFrom('lesson')
    .innerJoin('group', 'group.course_id', 'lesson.course_id')
    .select('lesson.id')
    .where('lesson.id', '=', lessonId)
    .where('group.id', '=', groupId)
    .executeTakeFirst()
  if (!ofCourse) throw invalid(['lessonId'], 'Must be a lesson of the group’s course.')
}

/**
 * Adds a session of a locked group outside the schedule.
 * @throws NotFound for the teacher or the lesson, DayClosed, VALIDATION_ERROR
 */
export const createSession = async (
  tx: Tx,
  groupId: string,
  { notify = false, ...body }: v.InferOutput<typeof NewSession>,
): Promise<Session> => {
  checkTimes(body.scheduledStart, body.scheduledEnd)
  await checkOpen(tx, groupId, body.scheduledStart)
  if (body.teacherStaffId) await lockReferenced(tx, 'staff', body.teacherStaffId)
  if (body.lessonId) await lockLesson(tx, groupId, body.lessonId)
  if (body.homework) checkHomework(tx, body.homework, body.scheduledStart)
  const session = await createRecord(tx, sessionRecord, { ...body, groupId, status: 'scheduled' })
  const { id: sessionId, scheduledStart: start, scheduledEnd: end } = session
  if (!body.teacherStaffId) await coverNew(tx, groupId, [{ id: sessionId, date: localDate(start, tx.tenant.timezone) }])
  if (notify) noticeSession(tx, { sessionId, what: 'added', start, end, formerStart: start })
  return readSession(tx.db, sessionId)
}

/**
 * Which staff may be the substitute of a session. Callers who write the group choose among the staff within their reach;
 * the group's own teacher and whoever gives this session choose among the staff of the group's branch.
 * @throws Forbidden for anybody who may not change the session
 */
const substitutesFor = async (tx: Tx, caller: Caller, session: SessionRow) => {
  const writer = await writerOf(tx.whole, caller, session)
  if (!writer) throw Forbidden({ reason: 'not_the_teacher' })
  if (writer.as === 'office') return (id: string) => lockReferenced(tx, 'staff', id)
  return async (id: string): Promise<void> => {
    const query = tx.whole
      .selectFrom('staff')
      .select('id')
      .where('id', '=', id)
      .where('branch_id', '=', writer.branchId)
    found(await forKeyShare(tx.whole, query).executeTakeFirst())
  }
}

/**
 * Edits, moves or cancels a session, gives it to a substitute, or corrects who gave it.
 * @throws NotFound, Forbidden, SessionNotScheduled, DayClosed, VALIDATION_ERROR
 */
export const changeSession = async (
  tx: Tx,
  caller: Caller,
  id: string,
  { reason, ...body }: SessionChanges,
): Promise<Session> => {
  const row = await lockRow(tx, sessionRecord, id)
  const checkSubstitute = await substitutesFor(tx, caller, row)
  const cancels = body.status === 'cancelled'
  const moved = changesOf(row, { scheduledStart: body.scheduledStart, scheduledEnd: body.scheduledEnd })
  if ((cancels || !isEmpty(moved)) && row.status !== 'scheduled') throw SessionNotScheduled({ status: row.status })
  if (cancels && reason === undefined) throw invalid(['reason'], 'Is required to cancel a session.')
  if (!cancels && reason !== undefined) throw invalid(['reason'], 'Goes with status cancelled only.')
  const { scheduledStart = row.scheduled_start, scheduledEnd = row.scheduled_end, teacherStaffId } = body
  checkTimes(scheduledStart, scheduledEnd)
  if (moved.scheduledStart) await checkOpen(tx, row.group_id, scheduledStart)
  const before = await readSession(tx.db, id)
  const replaces = teacherStaffId !== undefined && teacherStaffId !== before.teacherStaffId
  if (replaces && teacherStaffId !== null) await checkSubstitute(teacherStaffId)
  const { lessonId, homework } = changesOf(row, { lessonId: body.lessonId, homework: body.homework })
  if (lessonId?.[1]) await lockLesson(tx, row.group_id, lessonId[1])
  if (homework?.[1]) checkHomework(tx, homework[1], scheduledStart)
  const corrects = replaces && row.status === 'held'
  if (corrects) await storeTeacher(tx, row, teacherStaffId)
  if (reason !== undefined) {
    tx.emit('session.cancelled', { sessionId: id, groupId: row.group_id, scheduledStart, reason })
  } else if (row.status === 'scheduled') {
    const notice = { sessionId: id, start: scheduledStart, end: scheduledEnd, formerStart: row.scheduled_start }
    if (!isEmpty(moved)) noticeSession(tx, { ...notice, what: 'moved' })
    if (replaces) noticeSession(tx, { ...notice, what: 'given' })
  }
  const wanted = {
    ...body,
    teacherStaffId: row.status === 'held' ? undefined : teacherStaffId,
    cancelReason: reason,
    cancelledBy: cancels ? ('hand' as const) : undefined,
    isMoved: isEmpty(moved) ? undefined : !(await standsAsPlanned(tx, row, { scheduledStart, scheduledEnd })),
  }
  return changeRecord(tx, sessionRecord, row, wanted, {
    before,
    partsChanged: corrects,
    ...(cancels && { metadata: { reason } }),
  })
}
