import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { WeeklyRule as Rule } from '#shared/occurrences.ts'
import { removeSessions, setState } from './align.ts'
import { checkCount, createMissing, occurrencesFor, onOpenDays, slotOf, type ScheduledGroup } from './generation.ts'
import { horizonOf } from './horizon.ts'
import { OTHER_TIMES } from './reasons.ts'
import { sessionsWithFiles } from './with-files.ts'

/**
 * Sessions of the schedule that are due today or later and have not begun: scheduled, or on closed days.
 */
const upcoming = ({ db, today, now }: Tx, groupId: string) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('group_id', '=', groupId)
    .where((eb) => eb.or([eb('status', '=', 'scheduled'), eb('cancelled_by', '=', 'closure')]))
    .where('occurrence_date', '>=', today)
    .where('scheduled_start', '>', now)
    .orderBy('occurrence_date')
    .execute()

type SessionRow = Awaited<ReturnType<typeof upcoming>>[number]

const changeEnd = compiledInTenant((db, { id, end, now }: { id: string; end: string; now: string }) =>
  db
    .updateTable('session')
    .set({ scheduled_end: end, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .returning('id'),
)

/**
 * Updates the future sessions after the group's rules changed. A slot that stays keeps its session and what was written on
 * it; if the rule's length changed, the session follows unless somebody had moved it. Slots that are gone lose their
 * session, or, where files are attached to it, have it cancelled; new slots get one unless it would be over, for the usual window and as far ahead as sessions existed before.
 * @throws VALIDATION_ERROR when that is more than is generated at once
 */
export const followRules = async (
  tx: Tx,
  group: ScheduledGroup,
  rules: readonly Rule[],
): Promise<{ created: number; cancelled: number; removedSessions: SessionRow[] }> => {
  const existing = await upcoming(tx, group.id)
  const asked = occurrencesFor(tx, group, rules, await horizonOf(tx, group.id))
  checkCount(asked, 'schedules')
  const bySlot = new Map(asked.map((one) => [slotOf(one.date, one.startTime), one]))
  const gone: SessionRow[] = []
  for (const session of existing) {
    const occurrence = bySlot.get(slotOf(session.occurrence_date, session.occurrence_slot))
    if (!occurrence) {
      gone.push(session)
    } else if (occurrence.end !== session.scheduled_end && !session.is_moved) {
      await changeEnd(tx.whole, { id: session.id, end: occurrence.end, now: tx.now })
    }
  }
  const withFiles = await sessionsWithFiles(tx.whole, group.id)
  const state = { status: 'cancelled', cancelled_by: 'hand', closure_id: null } as const
  const cancelled = await setState(
    tx,
    gone.filter(({ id }) => withFiles.has(id)),
    { ...state, cancel_reason: OTHER_TIMES[tx.tenant.defaultLocale] },
  )
  const removedSessions = await removeSessions(
    tx,
    gone.filter(({ id }) => !withFiles.has(id)),
  )
  const open = await onOpenDays(tx, group, asked)
  const created = await createMissing(
    tx,
    group.id,
    open.filter(({ end }) => end > tx.now),
  )
  return { created: created.length, cancelled: cancelled.length, removedSessions }
}
