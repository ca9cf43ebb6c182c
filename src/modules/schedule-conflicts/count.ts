import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { Booked } from './booked.ts'
import { beginsBefore, readLong, readPlannedSession, readUpcoming, readUsual, type PlannedSession } from './planned.ts'

/** Limits of the count for one reply: sessions of the group, and other sessions at the same time. */
const MOST_SESSIONS = 200
const MOST_OTHERS = 10_000

/** Later than the start of any session. */
const LAST = '9999'

interface Dbs {
  db: ScopedDb
  whole: ScopedDb
}

/**
 * Finds the other sessions at the time of these sessions, each pair once, including those outside the caller's reach:
 * with that condition in the query, Postgres would scan all groups.
 */
const overlaps = async (whole: ScopedDb, sessions: readonly PlannedSession[]) => {
  const touched = new Set(sessions.map(({ id }) => id))
  const found: (readonly [PlannedSession, PlannedSession])[] = []
  const long = await readLong(whole, {
    start: sessions.reduce((least, { start }) => (start < least ? start : least), LAST),
    end: sessions.reduce((most, { end }) => (end > most ? end : most), ''),
  })
  for (const session of sessions) {
    const meanwhile = long.filter(({ start, end }) => start < session.end && end > session.start)
    for (const other of [...(await readUsual(whole, session)), ...meanwhile]) {
      // When both sessions of a pair are in `sessions`, the earlier one yields the pair.
      if (other.id === session.id || (touched.has(other.id) && beginsBefore(other, session))) continue
      found.push([session, other])
    }
    if (found.length > MOST_OTHERS) break
    await nextTurn()
  }
  return found
}

const countOf = async ({ db, whole }: Dbs, sessions: readonly PlannedSession[]): Promise<number> => {
  if (sessions.length === 0) return 0
  const booked = new Booked({ db, whole })
  await booked.learnStudents(sessions)
  const pairs = await overlaps(whole, sessions)
  await booked.learnPlaces([...sessions, ...pairs.map(([, other]) => other)])
  let count = 0
  for (const [session, other] of pairs) {
    if (!booked.reaches(other)) continue
    const [teacher, room] = [booked.teacherOf(session), booked.roomOf(session)]
    if (teacher !== null && booked.teacherOf(other) === teacher) count += 1
    if (room !== null && booked.roomOf(other) === room) count += 1
    if (booked.groupsWithStudentsOf(session).has(other.groupId)) count += 1
  }
  return count
}

const NAME = 'X-Schedule-Conflicts'

/** The declaration of the header, for `replyHeaders` of endpoints that change sessions. */
export const conflictsHeader = {
  [NAME]:
    'How many conflicts, as GET /schedule-conflicts lists them, there are now: of a session, its own; of a group, those of its sessions that have not ended, the next 200 in order of time and among the first 10,000 others that take place meanwhile. Where they cannot be counted the header is left out: the change was made. A repeat with the same Idempotency-Key is told what holds by then.',
}

const header = (count: number): Record<string, string> => ({ [NAME]: String(count) })

/** The header for a reply about a session. */
export const conflictsOfSession = async (dbs: Dbs, id: string): Promise<Record<string, string>> =>
  header(await countOf(dbs, await readPlannedSession(dbs.db, id)))

/** The header for a reply about a group or its schedule. */
export const conflictsOfGroup = async (
  { now, ...dbs }: Dbs & { now: string },
  groupId: string,
): Promise<Record<string, string>> =>
  header(await countOf(dbs, await readUpcoming(dbs.db, { groupId, now, most: MOST_SESSIONS })))
