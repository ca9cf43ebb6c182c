import { found } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { markHeld, markScheduled, sessionRecord, type SessionRow } from '#modules/sessions/index.ts'
import { lockRow } from '#runtime/records/records.ts'
import { noticeCorrection } from './corrections.ts'
import { readRoster, showRoster } from './roster.ts'
import type { Roster, RosterEntry } from './schemas.ts'

export const isMarked = ({ status }: RosterEntry): boolean => status !== null

/** Clears entries of a locked session. One of which none is left is scheduled again. */
export const clearEntries = async (tx: Tx, session: SessionRow, cleared: readonly RosterEntry[]): Promise<Roster> => {
  const before = await readRoster(tx, session)
  const ids = cleared.map(({ studentId }) => studentId)
  if (ids.length > 0) {
    await tx.whole
      .deleteFrom('attendance')
      .where('session_id', '=', session.id)
      .where('student_id', 'in', ids)
      .execute()
  }
  const after = await readRoster(tx, session)
  const version = session.attendance_version + (ids.length > 0 ? 1 : 0)
  const isHeld = after.entries.some(isMarked)
  if (isHeld) {
    await markHeld(tx, session, { rosterComplete: false, attendanceVersion: version })
  } else if (session.status === 'held') {
    await markScheduled(tx, session, version)
  }
  for (const former of cleared) {
    noticeCorrection(tx, session.id, { studentId: former.studentId, former, is: 'cleared' })
  }
  const status = isHeld ? 'held' : 'scheduled'
  const reply = showRoster({ ...session, status, attendance_version: version }, after)
  tx.audit({ entityType: 'session', entityId: session.id, before: showRoster(session, before), after: reply })
  return reply
}

/** Takes back the entry of a student. @throws NotFound also where there is none */
export const clearEntry = async (tx: Tx, sessionId: string, studentId: string): Promise<Roster> => {
  const session = await lockRow(tx, sessionRecord, sessionId)
  const { entries } = await readRoster(tx, session)
  const entry = found(entries.find((one) => one.studentId === studentId && isMarked(one)))
  return clearEntries(tx, session, [entry])
}
