import { readBounded } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** A session that was not cancelled, with what conflicts need of it. */
export interface PlannedSession {
  id: string
  groupId: string
  start: string
  end: string
  isHeld: boolean
  /** For a held session, who gave it (null while unknown); else the substitute (null for the group's teacher). */
  teacherStaffId: string | null
}

const HOUR_MILLIS = 3_600_000

/** A rule's session lies within one local day, which a clock change makes at most two hours longer. */
const LONGEST_OF_A_RULE_MILLIS = 26 * HOUR_MILLIS

/** The value of the column session.long_until. */
export const longUntil = (start: string, end: string): string | null =>
  Date.parse(end) - Date.parse(start) > LONGEST_OF_A_RULE_MILLIS ? end : null

const planned = (db: ScopedDb) =>
  db
    .selectFrom('session')
    .select(['session.id', 'session.group_id', 'session.scheduled_start', 'session.scheduled_end'])
    .select(['session.status', 'session.teacher_staff_id'])
    .select((eb) =>
      eb
        .selectFrom('session_teacher')
        .select('session_teacher.staff_id')
        .whereRef('session_teacher.session_id', '=', 'session.id')
        .as('given_by'),
    )
    .where('session.status', '!=', 'cancelled')

type Query = ReturnType<typeof planned>

const read = async (query: Query): Promise<PlannedSession[]> =>
  (await readBounded(query, 'session.id')).map((row) => ({
    id: row.id,
    groupId: row.group_id,
    start: row.scheduled_start,
    end: row.scheduled_end,
    isHeld: row.status === 'held',
    teacherStaffId: row.status === 'held' ? row.given_by : row.teacher_staff_id,
  }))

/** Orders sessions by start, then id. */
export const beginsBefore = (a: PlannedSession, b: PlannedSession): boolean =>
  a.start < b.start || (a.start === b.start && a.id < b.id)

/** Reads the session, unless it was cancelled or is out of reach. */
export const readPlannedSession = (db: ScopedDb, id: string): Promise<PlannedSession[]> =>
  read(planned(db).where('session.id', '=', id))

/** Reads a group's next `most` sessions that have not ended by `now`, in order of time. */
export const readUpcoming = async (
  db: ScopedDb,
  { groupId, now, most }: { groupId: string; now: string; most: number },
): Promise<PlannedSession[]> => {
  const ofGroup = (query: Query) => read(query.where('session.group_id', '=', groupId))
  const soon = (query: Query) => query.orderBy('session.scheduled_start').orderBy('session.id').limit(most)
  const usual = planned(db)
    .where('session.scheduled_start', '>', earliestStart(now))
    .where('session.scheduled_end', '>', now)
  const begunLongAgo = planned(db)
    .where('session.long_until', '>', now)
    .where('session.scheduled_start', '<=', earliestStart(now))
  return [...(await ofGroup(begunLongAgo)), ...(await ofGroup(soon(usual)))].slice(0, most)
}

/** A session of usual length that began at this time or before has ended by `instant`. */
const earliestStart = (instant: string): string =>
  new Date(Date.parse(instant) - LONGEST_OF_A_RULE_MILLIS - 1).toISOString()

export interface Time {
  start: string
  end: string
}

/** Reads the sessions of usual length that begin before `end` and end after `start`, in no order. */
export const readUsual = (db: ScopedDb, { start, end }: Time): Promise<PlannedSession[]> =>
  read(
    planned(db)
      .where('session.scheduled_start', '>', earliestStart(start))
      .where('session.scheduled_start', '<', end)
      .where('session.scheduled_end', '>', start)
      .where('session.long_until', 'is', null),
  )

/** The same for longer sessions. */
export const readLong = (db: ScopedDb, { start, end }: Time): Promise<PlannedSession[]> =>
  read(planned(db).where('session.long_until', '>', start).where('session.scheduled_start', '<', end))

/** Yields the sessions that begin from `from` to `to`, both inclusive, in order of time; reads `most` at once. */
export async function* readInTime(
  db: ScopedDb,
  { from, to, most }: { from: string; to: string; most: number },
): AsyncGenerator<PlannedSession[], void> {
  const inTime = planned(db)
    .where('session.scheduled_start', '<=', to)
    .orderBy('session.scheduled_start')
    .orderBy('session.id')
    .limit(most)
  let sessions = await read(inTime.where('session.scheduled_start', '>=', from))
  for (;;) {
    if (sessions.length > 0) yield sessions
    const last = sessions.at(-1)
    if (last === undefined || sessions.length < most) return
    sessions = await read(
      inTime.where((eb) =>
        eb(eb.refTuple('session.scheduled_start', 'session.id'), '>', eb.tuple(last.start, last.id)),
      ),
    )
  }
}
