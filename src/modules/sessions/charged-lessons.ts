import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Row } from '#runtime/records/records.ts'
import { datesOf } from '#shared/occurrences.ts'
import { closureOn } from './closed.ts'
import { meets, slotOf, toRule } from './generation.ts'

/** Days, both inclusive. */
interface Days {
  from: string
  to: string
}

interface Asked {
  groupIds: readonly string[]
  days: Days
  timezone: string
}

/** A day of a lesson of a group. */
type LessonDay = readonly [groupId: string, date: string]

type Closed = Pick<Row<'closure'>, 'id' | 'name' | 'branch_id' | 'is_billed'> & Days

const closuresWithin = (whole: ScopedDb, { from, to }: Days): Promise<Closed[]> =>
  whole
    .selectFrom('closure')
    .select(['id', 'name', 'branch_id', 'is_billed', 'from_date as from', 'to_date as to'])
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .orderBy('from_date')
    .orderBy('id')
    .execute()

/** Those that take or took place, and those that closed days cancelled which are charged all the same. */
const madeLessons = async (
  whole: ScopedDb,
  { groupIds, days, timezone }: Asked,
  billedIds: readonly string[],
): Promise<LessonDay[]> => {
  const rows = await whole
    .selectFrom('session')
    .select(['group_id', 'scheduled_start'])
    .where('group_id', 'in', groupIds)
    .where((eb) =>
      eb.or([
        eb('status', '!=', 'cancelled'),
        ...(billedIds.length === 0
          ? []
          : [eb.and([eb('cancelled_by', '=', 'closure'), eb('closure_id', 'in', billedIds)])]),
      ]),
    )
    .where('scheduled_start', '>=', startOfLocalDay(days.from, timezone))
    .where('scheduled_start', '<', startOfLocalDay(addDays(days.to, 1), timezone))
    .execute()
  return rows.map(({ group_id: groupId, scheduled_start: start }) => [groupId, localDate(start, timezone)])
}

/**
 * Lessons that the weekly times ask for and that were never made, because the closed days were known before. What is
 * charged must not hang on which of the two was said first.
 */
const unmadeLessons = async (
  whole: ScopedDb,
  { groupIds, days, timezone }: Asked,
  closures: readonly Closed[],
): Promise<LessonDay[]> => {
  const groups = await whole
    .selectFrom('group')
    .select(['id', 'branch_id', 'status', 'starts_on', 'ends_on', 'created_at'])
    .where('id', 'in', groupIds)
    .execute()
  const rules = await whole.selectFrom('schedule_rule').selectAll().where('group_id', 'in', groupIds).execute()
  const made = await whole
    .selectFrom('session')
    .select(['group_id', 'occurrence_date', 'occurrence_slot'])
    .where('group_id', 'in', groupIds)
    .where('occurrence_date', '>=', days.from)
    .where('occurrence_date', '<=', days.to)
    .execute()
  const keyOf = (groupId: string, date: string | null, slot: string | null) => `${groupId} ${slotOf(date, slot)}`
  const known = new Set(made.map((one) => keyOf(one.group_id, one.occurrence_date, one.occurrence_slot)))
  const rulesByGroup = Map.groupBy(rules, ({ group_id }) => group_id)
  return groups.filter(meets).flatMap((group) => {
    const own = closures.filter(({ branch_id: branchId }) => branchId === null || branchId === group.branch_id)
    // Before there was the group, nothing kept a lesson of it from being made.
    const first = [days.from, group.starts_on ?? days.from, localDate(group.created_at, timezone)].toSorted().at(-1)
    const last = group.ends_on !== null && group.ends_on < days.to ? group.ends_on : days.to
    return (rulesByGroup.get(group.id) ?? []).map(toRule).flatMap((rule) =>
      datesOf(rule, { from: first as string, until: last })
        .filter((date) => !known.has(keyOf(group.id, date, rule.startTime)))
        .filter((date) => closureOn(own, date)?.is_billed)
        .map((date): LessonDay => [group.id, date]),
    )
  })
}

/**
 * On which days of these each group has lessons that count for what a part of them costs. A lesson that was cancelled
 * counts where closed days cancelled it that are charged all the same.
 */
export const chargedLessons = async (whole: ScopedDb, asked: Asked): Promise<(groupId: string) => string[]> => {
  if (asked.groupIds.length === 0) return () => []
  const closures = await closuresWithin(whole, asked.days)
  const billed = closures.filter(({ is_billed: isBilled }) => isBilled)
  const billedIds = billed.map(({ id }) => id)
  const made = await madeLessons(whole, asked, billedIds)
  const unmade = billed.length === 0 ? [] : await unmadeLessons(whole, asked, closures)
  const byGroup = Map.groupBy([...made, ...unmade], ([groupId]) => groupId)
  return (groupId) => (byGroup.get(groupId) ?? []).map(([, date]) => date)
}
