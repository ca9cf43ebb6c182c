import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { compiledInsert } from '#db/queries/compiled.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { failure, invalid, type Issue, ISSUES } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { count, day } from '#kernel/values/schema.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { withoutNotesOfErased } from '#modules/people/index.ts'
import { markHeld, sessionRecord, type SessionRow } from '#modules/sessions/index.ts'
import { lockRow } from '#runtime/records/records.ts'
import { clearEntries, isMarked } from './clear.ts'
import { noticeCorrection } from './corrections.ts'
import { readRoster, showRoster, type RosterRead } from './roster.ts'
import { RosterEntry, type Mark, type Marks, type Roster } from './schemas.ts'
import { ATTENDANCE_STATUSES, type AttendanceStatus } from './tables.ts'

export const SessionCancelled = failure(
  'CONFLICT',
  'session_cancelled',
  'Attendance of a cancelled session is not taken.',
)
export const NotOnRoster = failure(
  'VALIDATION_ERROR',
  'not_on_roster',
  'The student is not on the roster of the session.',
  {
    details: {
      schema: ISSUES.schema,
      example: { issues: [{ path: ['entries', '0', 'studentId'], message: 'Is not on the roster of this session.' }] },
    },
  },
)

export const SessionAhead = failure(
  'VALIDATION_ERROR',
  'session_ahead',
  'Attendance is taken on the day of the session, not before it.',
  {
    details: {
      schema: explained(v.object({ day }), { day: 'The day of the session, in the institute’s timezone.' }),
      example: { day: '2026-03-05' },
    },
  },
)

export const AttendanceChanged = failure(
  'VERSION_CONFLICT',
  'attendance_changed',
  'Somebody else changed the attendance meanwhile: look at the entries that differ, and send again with the current version.',
  {
    details: {
      schema: explained(v.object({ expected: count, current: count, entries: v.array(RosterEntry) }), {
        expected: 'The version that the request named.',
        current: 'The version that the attendance has.',
        entries: 'The entries that were changed since and are not as the request has them, as they stand now, by name.',
      }),
      example: {
        expected: 1,
        current: 2,
        entries: [
          {
            studentId: '01890a5d-ac96-774b-bcce-b302099a8057',
            firstName: 'ليان',
            lastName: 'حداد',
            status: 'late',
            minutesLate: 5,
            note: null,
            markedAt: '2026-03-02T14:06:00.000Z',
            announced: null,
            isWalkIn: false,
          },
        ],
      },
    },
  },
)

/** @throws VALIDATION_ERROR for a student named twice, NotOnRoster */
const checkStudents = (marks: readonly Mark[], known: ReadonlyMap<string, RosterEntry>): void => {
  const seen = new Set<string>()
  const strangers: Issue[] = []
  for (const [index, { studentId }] of marks.entries()) {
    const path = ['entries', String(index), 'studentId']
    if (seen.has(studentId)) throw invalid(path, 'Must not name a student twice.')
    seen.add(studentId)
    if (!known.has(studentId)) strangers.push({ path, message: NotOnRoster.spec.message })
  }
  if (strangers.length > 0) throw NotOnRoster({ issues: strangers })
}

/** The size of most groups: all of one are marked at once. */
const MOST_COMPILED = 40

const upsertEntries = compiledInsert(
  (whole: ScopedDb, rows: Omit<Selectable<Tables['attendance']>, 'tenant_id'>[]) =>
    whole
      .insertInto('attendance')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'session_id', 'student_id']).doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          minutes_late: eb.ref('excluded.minutes_late'),
          note: eb.ref('excluded.note'),
          marked_at: eb.ref('excluded.marked_at'),
          version: eb.ref('excluded.version'),
        })),
      ),
  MOST_COMPILED,
)

/** Writes the entries that changed, in one statement. @param walkInAt of those that are new; null: they are on the roster */
const saveMarks = async (
  { whole, now }: Tx,
  { sessionId, version, walkInAt }: { sessionId: string; version: number; walkInAt: string | null },
  marks: readonly Mark[],
): Promise<void> => {
  if (marks.length === 0) return
  const rows = marks.map(({ studentId, status, minutesLate, note }) => ({
    session_id: sessionId,
    student_id: studentId,
    status,
    minutes_late: minutesLate,
    note,
    marked_at: now,
    version,
    walk_in_at: walkInAt,
  }))
  await upsertEntries(whole, rows)
}

const recordMarked = (tx: Tx, session: SessionRow, entries: readonly RosterEntry[]): void => {
  const having = (status: AttendanceStatus) => entries.filter((entry) => entry.status === status)
  tx.emit('attendance.marked', {
    sessionId: session.id,
    groupId: session.group_id,
    markedByUserId: actingUserId(tx.actor),
    absentStudentIds: having('absent').map(({ studentId }) => studentId),
    counts: Object.fromEntries(ATTENDANCE_STATUSES.map((status) => [status, having(status).length])),
  })
}

/** Records an absence event when the status changes to anything but present, not when the same status is sent again. */
const recordAbsences = (
  tx: Tx,
  session: SessionRow,
  marks: readonly Mark[],
  known: ReadonlyMap<string, RosterEntry>,
): void => {
  const occurredOn = localDate(session.scheduled_start, tx.tenant.timezone)
  for (const { studentId, status } of marks) {
    if (status === 'present' || status === known.get(studentId)?.status) continue
    tx.emit('student.absent', { studentId, sessionId: session.id, groupId: session.group_id, status, occurredOn })
  }
}

const isSame = (mark: Mark, entry: RosterEntry): boolean =>
  mark.status === entry.status && mark.minutesLate === entry.minutesLate && mark.note === entry.note

const withMarks = (entries: readonly RosterEntry[], marks: readonly Mark[], now: string): RosterEntry[] => {
  const marked = new Map(marks.map((mark) => [mark.studentId, mark]))
  return entries.map((entry) => {
    const mark = marked.get(entry.studentId)
    if (!mark) return entry
    const { status, minutesLate, note } = mark
    return { ...entry, status, minutesLate, note, markedAt: now }
  })
}

/**
 * Refuses marks by somebody who has not seen what stands now. Entries that are sent as they stand are no conflict, so
 * that a request whose reply was lost can be sent again. @throws AttendanceChanged
 */
const checkVersion = (
  session: SessionRow,
  { entries, versions }: RosterRead,
  { version, entries: marks }: Marks,
): void => {
  const current = session.attendance_version
  if (version === undefined || version === current) return
  const sent = new Map(marks.map((mark) => [mark.studentId, mark]))
  // A version that this attendance never had is from before the institute was restored: nothing that stands was seen.
  const seen = version < current ? version : 0
  const differing = entries.filter((entry) => {
    const mark = sent.get(entry.studentId)
    return (versions.get(entry.studentId) ?? 0) > seen && !(mark && isSame(mark, entry))
  })
  if (differing.length > 0 || version > current)
    throw AttendanceChanged({ expected: version, current, entries: differing })
}

/** @throws SessionAhead */
const checkDay = ({ tenant, today }: Tx, session: SessionRow): void => {
  const date = localDate(session.scheduled_start, tenant.timezone)
  if (date > today) throw SessionAhead({ day: date })
}

/** @throws SessionCancelled, SessionAhead */
export const checkMarkable = (tx: Tx, session: SessionRow): void => {
  if (session.status === 'cancelled') throw SessionCancelled()
  checkDay(tx, session)
}

/**
 * Adds or changes entries of a locked session, and marks it as held.
 * @param walkInAt for somebody who is not on the roster; null: all of them are
 */
export const markEntries = async (
  tx: Tx,
  session: SessionRow,
  { roster, marks: sent, walkInAt }: { roster: RosterRead; marks: readonly Mark[]; walkInAt: string | null },
): Promise<Roster> => {
  const sessionId = session.id
  const marks = await withoutNotesOfErased(tx, 'note', sent)
  const known = new Map(roster.entries.map((entry) => [entry.studentId, entry]))
  const changed = marks.filter((mark) => {
    const entry = known.get(mark.studentId)
    return !entry || !isSame(mark, entry)
  })
  const version = session.attendance_version + (changed.length > 0 ? 1 : 0)
  await saveMarks(tx, { sessionId, version, walkInAt }, changed)
  const entries =
    walkInAt === null ? withMarks(roster.entries, changed, tx.now) : (await readRoster(tx, session)).entries
  const completes =
    session.roster_complete_at === null &&
    roster.enrolled.size > 0 &&
    entries.every(({ studentId, status }) => status !== null || !roster.enrolled.has(studentId))
  if (changed.length > 0 || completes || session.status === 'scheduled') {
    await markHeld(tx, session, { rosterComplete: completes, attendanceVersion: version })
  }
  recordAbsences(tx, session, changed, known)
  for (const { studentId, status } of changed) {
    if (status === 'present')
      noticeCorrection(tx, sessionId, { studentId, former: known.get(studentId), is: 'present' })
  }
  if (completes) recordMarked(tx, session, entries)
  const reply = showRoster({ ...session, status: 'held', attendance_version: version }, { entries })
  tx.audit({ entityType: 'session', entityId: sessionId, before: showRoster(session, roster), after: reply })
  return reply
}

/**
 * Takes the attendance of a session: adds or changes the entries that differ, and marks the session as held. Without
 * entries it clears those that there are. The lock on the session makes those who mark it at once wait for each other.
 * @throws NotFound, SessionCancelled, SessionAhead, NotOnRoster, AttendanceChanged, VALIDATION_ERROR
 */
export const markAttendance = async (tx: Tx, sessionId: string, body: Marks): Promise<Roster> => {
  const { entries: marks } = body
  const session = await lockRow(tx, sessionRecord, sessionId)
  checkMarkable(tx, session)
  const roster = await readRoster(tx, session)
  checkStudents(marks, new Map(roster.entries.map((entry) => [entry.studentId, entry])))
  checkVersion(session, roster, body)
  if (marks.length === 0) return clearEntries(tx, session, roster.entries.filter(isMarked))
  return markEntries(tx, session, { roster, marks, walkInAt: null })
}
