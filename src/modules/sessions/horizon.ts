import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import { WINDOW_DAYS } from '#shared/occurrences.ts'
import type { ScheduledGroup } from './generation.ts'

export const LONGEST_DAYS = 400
/** A group whose last lesson lies so many days before its end, or fewer, has all of its lessons. */
const WEEK = 7

const lastDate = compiledInTenant((whole, { groupId }: { groupId: string }) =>
  whole
    .selectFrom('session')
    .select(({ fn }) => fn.max<string | null>('occurrence_date').as('date'))
    .where('group_id', '=', groupId),
)

/** The last day on which the weekly times of a group have a session, in any status; null: none. */
export const lastDateOf = async ({ whole }: Tx, groupId: string): Promise<string | null> =>
  (await lastDate(whole, { groupId }))[0]?.date ?? null

const later = (one: string, other: string | null): string => (other !== null && other > one ? other : one)

/** Until when a group's sessions are made: for the usual window, and as far as it has any. */
export const horizonOf = async (tx: Tx, groupId: string): Promise<string> =>
  later(addDays(tx.today, WINDOW_DAYS), await lastDateOf(tx, groupId))

/** The same for a group whose dates change: one that had its lessons to its end has them to its new end. */
export const horizonAfter = async (
  tx: Tx,
  group: ScheduledGroup,
  former: Pick<ScheduledGroup, 'ends_on'>,
): Promise<string> => {
  const last = await lastDateOf(tx, group.id)
  const usual = later(addDays(tx.today, WINDOW_DAYS), last)
  const wasWhole = last !== null && former.ends_on !== null && last > addDays(former.ends_on, -WEEK)
  const until = wasWhole ? later(usual, group.ends_on) : usual
  const furthest = addDays(tx.today, LONGEST_DAYS)
  return until > furthest ? later(furthest, last) : until
}
