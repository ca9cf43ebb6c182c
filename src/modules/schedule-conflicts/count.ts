import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ScopedDb } from '#kernel/tables.ts'
import { Booked } from './booked.ts'
import { beginsBefore, readOverlapping, readSession, readToCome, type PlannedSession } from './planned.ts'

/** What is looked at for one reply: sessions of the group, and others at the same time as those. */
const MOST_SESSIONS = 200
const MOST_OTHERS = 10_000

interface Dbs {
  db: ScopedDb
  whole: ScopedDb
}

const countOf = async ({ db, whole }: Dbs, sessions: readonly PlannedSession[]): Promise<number> => {
  const booked = new Booked(whole)
  await booked.learn(sessions)
  const touched = new Set(sessions.map(({ id }) => id))
  let [count, looked] = [0, 0]
  for (const session of sessions) {
    // A pair of two that are both touched counts with the earlier one.
    const others = (await readOverlapping(db, session)).filter(
      (other) => other.id !== session.id && (!touched.has(other.id) || beginsBefore(session, other)),
    )
    await booked.learn(others)
    const [teacher, room] = [booked.teacherOf(session), booked.roomOf(session)]
    const groups = booked.groupsWithStudentsOf(session)
    for (const other of others) {
      if (teacher !== null && booked.teacherOf(other) === teacher) count += 1
      if (room !== null && booked.roomOf(other) === room) count += 1
      if (groups.has(other.groupId)) count += 1
    }
    looked += others.length
    if (looked > MOST_OTHERS) break
    await nextTurn()
  }
  return count
}

const NAME = 'X-Schedule-Conflicts'

/** How it is declared: `replyHeaders` of what changes sessions. */
export const conflictsHeader = {
  [NAME]:
    'How many conflicts, as GET /schedule-conflicts lists them, there are now: of a session, its own; of a group, those of its sessions that have not ended, the next 200 in order of time. A repeat with the same Idempotency-Key is told what holds by then.',
}

const header = (count: number): Record<string, string> => ({ [NAME]: String(count) })

/** The header of a reply that tells of a session. */
export const conflictsOfSession = async (dbs: Dbs, id: string): Promise<Record<string, string>> =>
  header(await countOf(dbs, await readSession(dbs.db, id)))

/** The header of a reply that tells of a group or its schedule. */
export const conflictsOfGroup = async (
  { now, ...dbs }: Dbs & { now: string },
  groupId: string,
): Promise<Record<string, string>> =>
  header(await countOf(dbs, await readToCome(dbs.db, { groupId, now, most: MOST_SESSIONS })))
