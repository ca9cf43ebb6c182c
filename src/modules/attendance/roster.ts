import type { ExpressionBuilder } from 'kysely'
import { compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { localDate } from '#kernel/time/zone.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { announcedOf } from '#modules/absences/index.ts'
import type { SessionRow } from '#modules/sessions/index.ts'
import { sortedName } from '#shared/names.ts'
import type { Roster, RosterEntry } from './schemas.ts'

const pausesAtStart = (eb: ExpressionBuilder<Tables, 'enrollment' | 'session'>) =>
  eb.exists(
    eb
      .selectFrom('student_pause')
      .select('student_pause.id')
      .whereRef('student_pause.student_id', '=', 'enrollment.student_id')
      .whereRef('student_pause.begins_at', '<=', 'session.scheduled_start')
      .where((pause) =>
        pause.or([
          pause('student_pause.ends_at', 'is', null),
          pause('student_pause.ends_at', '>', pause.ref('session.scheduled_start')),
        ]),
      ),
  )

const ENROLLED_AT_START = ['enrollment.dropped_at', 'enrollment.completed_at', 'enrollment.ended_at'] as const

/**
 * Whether the enrollment was active when the session was scheduled to begin, on a day on which the student does not
 * pause; only such students are on its roster. Of a session whose weekly times were set up while it was running, whoever was enrolled by then.
 */
export const enrolledAtStart = (eb: ExpressionBuilder<Tables, 'enrollment' | 'session'>) =>
  eb.and([
    eb.or([
      eb('enrollment.enrolled_at', '<=', eb.ref('session.scheduled_start')),
      eb.and([
        eb('session.occurrence_date', 'is not', null),
        eb('session.created_at', '>', eb.ref('session.scheduled_start')),
        eb('session.created_at', '<', eb.ref('session.scheduled_end')),
        eb('enrollment.enrolled_at', '<=', eb.ref('session.created_at')),
      ]),
    ]),
    eb.not(pausesAtStart(eb)),
    ...ENROLLED_AT_START.map((end) => eb.or([eb(end, 'is', null), eb(end, '>', eb.ref('session.scheduled_start'))])),
  ])

interface Listed {
  lastName: string
  firstName: string
  studentId: string
}

/** Made once for each: a list of thousands asks for them often while it is sorted. */
const keys = new WeakMap<Listed, string>()

const sortKeyOf = (listed: Listed): string => {
  const key = keys.get(listed) ?? `${sortedName(listed.firstName, listed.lastName)}\u0000${listed.studentId}`
  keys.set(listed, key)
  return key
}

/** The order of class lists, as that of all lists by name. */
export const byName = (a: Listed, b: Listed): number => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1)

export interface RosterRead {
  /** Every student on the roster or with an entry, sorted by name. */
  entries: RosterEntry[]
  /** Ids of the students who are on the roster. */
  enrolled: ReadonlySet<string>
  /** By student id: the version of the session's attendance that last changed their entry. */
  versions: ReadonlyMap<string, number>
}

const enrolledIn = compiledInTenant((whole, { sessionId }: { sessionId: string }) =>
  whole
    .selectFrom('session')
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .select(['student.id', 'student.first_name', 'student.last_name'])
    .where('session.id', '=', sessionId)
    .where(enrolledAtStart),
)

const markedIn = compiledInTenant((whole, { sessionId }: { sessionId: string }) =>
  whole
    .selectFrom('attendance')
    .innerJoin('student', 'student.id', 'attendance.student_id')
    .select(['student.id', 'student.first_name', 'student.last_name'])
    .select(['attendance.status', 'attendance.minutes_late', 'attendance.note', 'attendance.marked_at'])
    .select(['attendance.version', 'attendance.walk_in_at'])
    .where('attendance.session_id', '=', sessionId),
)

/** The entries with what was announced for the day of the session. */
const withAnnounced = async (
  { whole, tenant }: RosterContext,
  session: Pick<SessionRow, 'scheduled_start'>,
  entries: readonly RosterEntry[],
): Promise<RosterEntry[]> => {
  const date = localDate(session.scheduled_start, tenant.timezone)
  const announced = await announcedOf(
    whole,
    entries.map(({ studentId }) => studentId),
  )
  return entries.map((entry) => {
    const absence = announced(entry.studentId, date)
    if (!absence) return entry
    return { ...entry, announced: { absenceId: absence.id, reason: absence.reason, proposed: 'excused' as const } }
  })
}

interface RosterContext {
  whole: ScopedDb
  tenant: Pick<TenantInfo, 'timezone'>
}

/** Reads the students who were enrolled when the session was scheduled to begin, and the entries of the session. */
export const readRoster = async (
  context: RosterContext,
  session: Pick<SessionRow, 'id' | 'scheduled_start'>,
): Promise<RosterRead> => {
  const { whole } = context
  const sessionId = session.id
  const enrolled = await enrolledIn(whole, { sessionId })
  const marked = await markedIn(whole, { sessionId })
  const entries = new Map<string, RosterEntry>()
  for (const { id, first_name: firstName, last_name: lastName } of enrolled) {
    entries.set(id, {
      studentId: id,
      firstName,
      lastName,
      status: null,
      minutesLate: 0,
      note: null,
      markedAt: null,
      announced: null,
      isWalkIn: false,
    })
  }
  for (const row of marked) {
    entries.set(row.id, {
      studentId: row.id,
      firstName: row.first_name,
      lastName: row.last_name,
      status: row.status,
      minutesLate: row.minutes_late,
      note: row.note,
      markedAt: row.marked_at,
      announced: null,
      isWalkIn: row.walk_in_at !== null && !entries.has(row.id),
    })
  }
  return {
    entries: await withAnnounced(context, session, [...entries.values()].toSorted(byName)),
    enrolled: new Set(enrolled.map(({ id }) => id)),
    versions: new Map(marked.map(({ id, version }) => [id, version])),
  }
}

export const showRoster = (session: SessionRow, { entries }: Pick<RosterRead, 'entries'>): Roster => ({
  sessionId: session.id,
  groupId: session.group_id,
  scheduledStart: session.scheduled_start,
  status: session.status,
  cancelReason: session.cancel_reason,
  version: session.attendance_version,
  entries,
})
