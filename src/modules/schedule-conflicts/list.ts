import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { toPage } from '#runtime/records/cursors.ts'
import { Booked } from './booked.ts'
import { readInTime, readLong, readUsual, type PlannedSession } from './planned.ts'
import type { ConflictKind, ScheduleConflict, ScheduleConflictQuery } from './schemas.ts'

const DAY_MILLIS = 86_400_000
/** Sessions are generated for this many days after today. */
export const DEFAULT_DAYS = 56
export const MOST_DAYS = 100

/** Between two batches the event loop serves other requests. */
const SESSIONS_AT_ONCE = 100

interface Found {
  earlier: PlannedSession
  later: PlannedSession
  kind: ConflictKind
}

/** The position of a conflict in the list: start and id of the later session, id of the earlier one, kind. */
type Position = [start: string, laterId: string, earlierId: string, kind: string]

const positionOf = ({ earlier, later, kind }: Found): Position => [later.start, later.id, earlier.id, kind]

const compare = (a: readonly string[], b: readonly string[]): number => {
  for (const [index, value] of a.entries()) {
    const other = b[index] as string
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

/** The sessions that are running at a point in time, by what they occupy. Add sessions in the order of their start. */
class RunningSessions {
  readonly #booked: Booked
  readonly #by = new Map<string, PlannedSession[]>()

  constructor(booked: Booked) {
    this.#booked = booked
  }

  /** @returns the sessions with this key that have not ended at `instant`; drops the others */
  #at(key: string, instant: string): PlannedSession[] {
    const sessions = this.#by.get(key)?.filter(({ end }) => end > instant) ?? []
    if (sessions.length > 0) this.#by.set(key, sessions)
    else this.#by.delete(key)
    return sessions
  }

  add(session: PlannedSession): void {
    const teacher = this.#booked.teacherOf(session)
    const room = this.#booked.roomOf(session)
    const keys = [`group ${session.groupId}`]
    if (teacher !== null) keys.push(`teacher ${teacher}`)
    if (room !== null) keys.push(`room ${room}`)
    for (const key of keys) {
      const sessions = this.#by.get(key)
      if (sessions) sessions.push(session)
      else this.#by.set(key, [session])
    }
  }

  /** The conflicts of a session that starts now with the running ones, in the order of the list. */
  conflictsOf(session: PlannedSession): Found[] {
    const found = (kind: ConflictKind, key: string): Found[] =>
      this.#at(`${kind === 'student' ? 'group' : kind} ${key}`, session.start).map((earlier) => ({
        earlier,
        later: session,
        kind,
      }))
    const teacher = this.#booked.teacherOf(session)
    const room = this.#booked.roomOf(session)
    return [
      ...(teacher === null ? [] : found('teacher', teacher)),
      ...(room === null ? [] : found('room', room)),
      ...[...this.#booked.groupsWithStudentsOf(session)].flatMap((groupId) => found('student', groupId)),
    ].toSorted((a, b) => compare(positionOf(a), positionOf(b)))
  }
}

/** The first `most` conflicts after `position`. */
const conflictsIn = async (
  dbs: { db: ScopedDb; whole: ScopedDb },
  { from, to, position, most }: { from: string; to: string; position: Position | undefined; most: number },
): Promise<Found[]> => {
  const { db } = dbs
  const booked = new Booked(dbs)
  const running = new RunningSessions(booked)
  const begin = position ? position[0] : from
  const now = { start: begin, end: begin }
  const begun = [...(await readUsual(db, now)), ...(await readLong(db, now))].toSorted((a, b) =>
    compare([a.start, a.id], [b.start, b.id]),
  )
  await booked.learnPlaces(begun)
  for (const session of begun) running.add(session)
  const conflicts: Found[] = []
  for await (const sessions of readInTime(db, { from: begin, to, most: SESSIONS_AT_ONCE })) {
    await nextTurn()
    await booked.learnPlaces(sessions)
    await booked.learnStudents(sessions)
    for (const session of sessions) {
      const place = [session.start, session.id]
      if (!position || compare(place, position) >= 0) {
        const found = running.conflictsOf(session)
        conflicts.push(...(position ? found.filter((one) => compare(positionOf(one), position) > 0) : found))
        if (conflicts.length >= most) return conflicts.slice(0, most)
      }
      running.add(session)
    }
  }
  return conflicts
}

/** The last millisecond of a date. */
const endOfLocalDay = (date: string, zone: string): string =>
  new Date(Date.parse(startOfLocalDay(addDays(date, 1), zone)) - 1).toISOString()

const inTime = ({ from, to }: ScheduleConflictQuery, { now, timezone }: { now: string; timezone: string }) => {
  const begin = from ?? startOfLocalDay(localDate(now, timezone), timezone)
  const end = to ?? endOfLocalDay(addDays(localDate(begin, timezone), DEFAULT_DAYS), timezone)
  if (end < begin) throw invalid(['to'], `Must not be earlier than from (${begin}).`)
  if (Date.parse(end) - Date.parse(begin) > MOST_DAYS * DAY_MILLIS) {
    throw invalid(['to'], `Must be at most ${MOST_DAYS} days after from (${begin}).`)
  }
  return { from: begin, to: end }
}

const show = ({ earlier, later, kind }: Found): ScheduleConflict => ({
  sessionId: earlier.id,
  otherSessionId: later.id,
  kind,
  from: later.start,
  to: earlier.end < later.end ? earlier.end : later.end,
})

/**
 * Lists the double bookings that begin in a time, in order of time. The caller reaches both sessions of each.
 * @throws VALIDATION_ERROR for a time that is too long or ends before it begins
 */
export const listConflicts = async (context: {
  db: ScopedDb
  whole: ScopedDb
  cursors: Cursors
  query: ScheduleConflictQuery
  now: string
  tenant: TenantInfo
}): Promise<Page<ScheduleConflict>> => {
  const { query, cursors, now, tenant } = context
  const { cursor, limit } = query
  const time = inTime(query, { now, timezone: tenant.timezone })
  const position = cursor === undefined ? undefined : (cursors.decode(cursor) as Position)
  const found = await conflictsIn(context, { ...time, position, most: limit + 1 })
  return toPage(found, { limit, cursors }, { position: positionOf, show })
}
