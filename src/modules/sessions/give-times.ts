import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import { groupRecord } from '#modules/groups/index.ts'
import type { WeeklyRule } from '#shared/occurrences.ts'
import { lockRow } from '#runtime/records/records.ts'
import { generateSessions, MOST_OCCURRENCES, occurrencesFor } from './generation.ts'
import { LONGEST_DAYS } from './horizon.ts'
import { replaceRules } from './rules.ts'

/**
 * Gives a group its weekly times, and its lessons to its last day, as far ahead as lessons are made.
 */
export const giveTimes = async (tx: Tx, groupId: string, schedules: WeeklyRule[]): Promise<void> => {
  if (schedules.length === 0) return
  await replaceRules(tx, groupId, { schedules })
  const group = await lockRow(tx, groupRecord, groupId)
  const furthest = addDays(tx.today, LONGEST_DAYS)
  const until = group.ends_on !== null && group.ends_on < furthest ? group.ends_on : furthest
  const asked = occurrencesFor(tx, group, schedules, until)
  const surplus = asked[MOST_OCCURRENCES]
  await generateSessions(tx, group, surplus ? addDays(surplus.date, -1) : until)
}
