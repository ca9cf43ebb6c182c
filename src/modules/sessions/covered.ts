import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import type { SessionRow } from './teachers.ts'

/** A teacher who stands in for another. */
export interface Cover {
  id: string
  staffId: string
  substituteStaffId: string
}

type Given = Pick<SessionRow, 'id' | 'teacher_staff_id'>

/**
 * Gives sessions to the substitute of a cover.
 * @returns the ids of those that were given: not of one that was held, cancelled or given to somebody else since it was read
 */
export const coverSessions = async (
  tx: Tx,
  { id: coverId, staffId, substituteStaffId }: Cover,
  sessions: readonly Given[],
): Promise<ReadonlySet<string>> => {
  const covered = new Set<string>()
  for (const former of [null, staffId]) {
    const alike = sessions.filter((session) => session.teacher_staff_id === former)
    await inBatches(alike, async (batch) => {
      const ids = batch.map(({ id }) => id)
      const given = await tx.whole
        .updateTable('session')
        .set({ teacher_staff_id: substituteStaffId, updated_at: tx.now })
        .where('id', 'in', ids)
        .where('status', '=', 'scheduled')
        .where('teacher_staff_id', former === null ? 'is' : '=', former)
        .returning('id')
        .execute()
      if (given.length === 0) return
      await tx.whole
        .insertInto('covered_session')
        .values(given.map((row) => ({ id: tx.id(), cover_id: coverId, session_id: row.id, former_staff_id: former })))
        .execute()
      for (const { id } of given) covered.add(id)
    })
  }
  return covered
}

/**
 * Gives back what a cover gave. A session that somebody gave to a third teacher since stays with them; once a later cover of
 * the substitute gives it back, it goes to whoever had it before both.
 * @returns the sessions that were given back
 */
export const uncoverSessions = async (tx: Tx, { id: coverId, substituteStaffId }: Cover): Promise<string[]> => {
  const { whole, now } = tx
  const covered = await whole
    .selectFrom('covered_session')
    .select(['session_id', 'former_staff_id'])
    .where('cover_id', '=', coverId)
    .execute()
  const back: string[] = []
  for (const [former, alike] of Map.groupBy(covered, (row) => row.former_staff_id)) {
    await inBatches(alike, async (batch) => {
      const ids = batch.map((row) => row.session_id)
      const given = await whole
        .updateTable('session')
        .set({ teacher_staff_id: former, updated_at: now })
        .where('id', 'in', ids)
        .where('status', '!=', 'held')
        .where('teacher_staff_id', '=', substituteStaffId)
        .returning('id')
        .execute()
      back.push(...given.map(({ id }) => id))
      await whole
        .updateTable('covered_session')
        .set({ former_staff_id: former })
        .where('session_id', 'in', ids)
        .where('cover_id', '!=', coverId)
        .where('former_staff_id', '=', substituteStaffId)
        .execute()
    })
  }
  return back
}

const coversOfGroup = compiledInTenant((whole, { groupId, from }: { groupId: string; from: string }) =>
  whole
    .selectFrom('group')
    .innerJoin('cover', 'cover.staff_id', 'group.teacher_staff_id')
    .select(['cover.id', 'cover.staff_id', 'cover.substitute_staff_id', 'cover.group_ids'])
    .select(['cover.from_date', 'cover.to_date'])
    .where('group.id', '=', groupId)
    .where('cover.to_date', '>=', from)
    .orderBy('cover.created_at')
    .orderBy('cover.id'),
)

/** Gives sessions that are new in the plan to whoever stands in for the group's teacher then. The caller has locked the group. */
export const coverNew = async (
  tx: Tx,
  groupId: string,
  sessions: readonly { id: string; date: string }[],
): Promise<void> => {
  const first = sessions.map(({ date }) => date).toSorted()[0]
  if (first === undefined) return
  const covers = await coversOfGroup(tx.whole, { groupId, from: first })
  const left = new Set(sessions)
  for (const cover of covers) {
    if (cover.group_ids !== null && !cover.group_ids.includes(groupId)) continue
    const within = [...left].filter(({ date }) => cover.from_date <= date && date <= cover.to_date)
    for (const session of within) left.delete(session)
    await coverSessions(
      tx,
      { id: cover.id, staffId: cover.staff_id, substituteStaffId: cover.substitute_staff_id },
      within.map(({ id }) => ({ id, teacher_staff_id: null })),
    )
  }
}
