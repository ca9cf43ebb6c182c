import { compiledByIds } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { enrolledAtStart } from './roster.ts'
import type { RosterCounts } from './schemas.ts'

const countsById = compiledByIds((whole, sessionIds) => {
  const enrolled = whole
    .selectFrom('session')
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .select((eb) => [
      'session.id as session_id',
      'enrollment.student_id',
      eb.lit(null).$castTo<string | null>().as('marked_id'),
    ])
    .where('session.id', 'in', sessionIds)
    .where(enrolledAtStart)
  const marked = whole
    .selectFrom('attendance')
    .select((eb) => ['session_id', 'student_id', eb.ref('student_id').$castTo<string | null>().as('marked_id')])
    .where('session_id', 'in', sessionIds)
  return whole
    .selectFrom(marked.unionAll(enrolled).as('of_session'))
    .select(({ fn }) => [
      'of_session.session_id',
      fn.count<number>('of_session.student_id').distinct().as('rosterCount'),
      fn.count<number>('of_session.marked_id').as('markedCount'),
    ])
    .groupBy('of_session.session_id')
})

/**
 * Counts, for each of these sessions, the students on the roster (enrolled at the start or with an entry) and those who
 * have an entry: one query for all of them.
 */
export const countRosters = async (
  whole: ScopedDb,
  sessionIds: readonly string[],
): Promise<(sessionId: string) => RosterCounts> => {
  const rows = await countsById(whole, sessionIds)
  const bySession = new Map(rows.map((row) => [row.session_id, row]))
  return (sessionId) => {
    const { rosterCount, markedCount } = bySession.get(sessionId) ?? { rosterCount: 0, markedCount: 0 }
    const isComplete = markedCount > 0 && markedCount === rosterCount
    const attendanceState = markedCount === 0 ? 'unmarked' : isComplete ? 'complete' : 'partial'
    return { rosterCount, markedCount, attendanceState }
  }
}
