import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'

/** The days of a pause, both included. */
export interface Pause {
  from: string
  /** null: until the status is changed. */
  to: string | null
}

/** The first instant after a day. */
const after = ({ tenant }: Tx, day: string): string => startOfLocalDay(addDays(day, 1), tenant.timezone)

/** Ends pauses on a day that run beyond it; those that begin later are gone. */
const endOn = async (tx: Tx, studentId: string, day: string, { until }: { until: string | null }): Promise<void> => {
  const { whole, now } = tx
  let later = whole.deleteFrom('student_pause').where('student_id', '=', studentId).where('paused_from', '>', day)
  if (until !== null) later = later.where('paused_from', '<=', until)
  await later.execute()
  await whole
    .updateTable('student_pause')
    .set({ paused_to: day, ends_at: after(tx, day), updated_at: now })
    .where('student_id', '=', studentId)
    .where('paused_from', '<=', day)
    .where((eb) => eb.or([eb('paused_to', 'is', null), eb('paused_to', '>', day)]))
    .execute()
}

/** Adds a pause, which takes the place of those that it meets. The caller has locked the student. */
export const addPause = async (tx: Tx, studentId: string, { from, to }: Pause): Promise<void> => {
  await endOn(tx, studentId, addDays(from, -1), { until: to })
  const { whole, now, id, tenant } = tx
  await whole
    .insertInto('student_pause')
    .values({
      id: id(),
      student_id: studentId,
      paused_from: from,
      paused_to: to,
      begins_at: startOfLocalDay(from, tenant.timezone),
      ends_at: to === null ? null : after(tx, to),
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Ends what is left of a student's pauses: today the student is here again. The caller has locked the student. */
export const endPauses = (tx: Tx, studentId: string): Promise<void> =>
  endOn(tx, studentId, addDays(tx.today, -1), { until: null })

/** The pause that lasts, or the next one. */
export const standingPause = async ({ whole, today }: Tx, studentId: string): Promise<Pause | undefined> =>
  whole
    .selectFrom('student_pause')
    .select(['paused_from as from', 'paused_to as to'])
    .where('student_id', '=', studentId)
    .where((eb) => eb.or([eb('paused_to', 'is', null), eb('paused_to', '>=', today)]))
    .orderBy('paused_from')
    .limit(1)
    .executeTakeFirst()

/** The pauses of each of these students. */
export const pausesOf = async (
  whole: ScopedDb,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Pause[]>> => {
  if (studentIds.length === 0) return new Map()
  const rows = await whole
    .selectFrom('student_pause')
    .select(['student_id', 'paused_from', 'paused_to'])
    .where('student_id', 'in', studentIds)
    .execute()
  const byStudent = new Map<string, Pause[]>()
  for (const { student_id: id, paused_from: from, paused_to: to } of rows) {
    byStudent.set(id, [...(byStudent.get(id) ?? []), { from, to }])
  }
  return byStudent
}
