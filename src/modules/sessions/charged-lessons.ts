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

/** A lesson that counts for what a part of a month costs. */
export interface ChargedLesson {
  day: string
  /** Not where it was not held, and nobody pays for it: it is one of the lessons of the month all the same. */
  isCharged: boolean
}

type LessonOf = readonly [groupId: string, lesson: ChargedLesson]

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

type Group = Pick<Row<'group'>, 'id' | 'branch_id' | 'status' | 'status_since' | 'starts_on' | 'ends_on' | 'created_at'>

const groupsOf = (whole: ScopedDb, { groupIds }: Asked): Promise<Group[]> =>
  whole
    .selectFrom('group')
    .select(['id', 'branch_id', 'status', 'status_since', 'starts_on', 'ends_on', 'created_at'])
    .where('id', 'in', groupIds)
    .execute()

/** Those that take or took place, and those that closed days cancelled, or their group when it was cancelled itself. */
const madeLessons = async (
  whole: ScopedDb,
  { groupIds, days, timezone }: Asked,
  { billed, cancelled }: { billed: ReadonlySet<string>; cancelled: ReadonlyMap<string, Group> },
): Promise<LessonOf[]> => {
  const rows = await whole
    .selectFrom('session')
    .select(['group_id', 'scheduled_start', 'status', 'cancelled_by', 'closure_id', 'occurrence_date'])
    .where('group_id', 'in', groupIds)
    .where((eb) => eb.or([eb('status', '!=', 'cancelled'), eb('cancelled_by', 'in', ['closure', 'group'])]))
    .where('scheduled_start', '>=', startOfLocalDay(days.from, timezone))
    .where('scheduled_start', '<', startOfLocalDay(addDays(days.to, 1), timezone))
    .execute()
  return rows.flatMap((row): LessonOf[] => {
    const day = localDate(row.scheduled_start, timezone)
    if (row.cancelled_by === 'group') {
      const group = cancelled.get(row.group_id)
      return group && isWithin(group, row.occurrence_date ?? day) ? [[group.id, { day, isCharged: false }]] : []
    }
    const isCharged = row.status !== 'cancelled' || (row.closure_id !== null && billed.has(row.closure_id))
    return [[row.group_id, { day, isCharged }]]
  })
}

const isWithin = ({ starts_on: startsOn, ends_on: endsOn }: Group, day: string): boolean =>
  (startsOn === null || day >= startsOn) && (endsOn === null || day <= endsOn)

/**
 * Lessons that the weekly times ask for and that were never made, because the closed days were known before, or are gone,
 * because their group was cancelled. What is charged must not hang on which of two was said first.
 */
const unmadeLessons = async (
  whole: ScopedDb,
  { groupIds, days, timezone }: Asked,
  { groups, closures }: { groups: readonly Group[]; closures: readonly Closed[] },
): Promise<LessonOf[]> => {
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
  return groups.flatMap((group) => {
    const own = closures.filter(({ branch_id: branchId }) => branchId === null || branchId === group.branch_id)
    const isCancelled = group.status === 'cancelled'
    const over = overSince(group, timezone)
    // Before there was the group, nothing kept a lesson of it from being made.
    const first = [days.from, group.starts_on ?? days.from, localDate(group.created_at, timezone)].toSorted().at(-1)
    const last = group.ends_on !== null && group.ends_on < days.to ? group.ends_on : days.to
    return (rulesByGroup.get(group.id) ?? []).map(toRule).flatMap((rule) =>
      datesOf(rule, { from: first as string, until: last })
        .filter((date) => !known.has(keyOf(group.id, date, rule.startTime)))
        .flatMap((day): LessonOf[] => {
          if (over !== null && day >= over) return isCancelled ? [[group.id, { day, isCharged: false }]] : []
          const closure = closureOn(own, day)
          return closure ? [[group.id, { day, isCharged: closure.is_billed }]] : []
        }),
    )
  })
}

/** The day from which a group has no lessons any more; null: it has. Where nobody knows, it never had. */
const overSince = (group: Group, timezone: string): string | null => {
  if (meets(group)) return null
  return group.status_since === null ? '' : localDate(group.status_since, timezone)
}

/**
 * The lessons of each group on these days, which count for what a part of them costs. One that closed days cancelled is
 * charged where these are. Of a group that was cancelled, those that it would have had since are not.
 */
export const chargedLessons = async (whole: ScopedDb, asked: Asked): Promise<(groupId: string) => ChargedLesson[]> => {
  if (asked.groupIds.length === 0) return () => []
  const [groups, closures] = [await groupsOf(whole, asked), await closuresWithin(whole, asked.days)]
  const cancelled = new Map(groups.filter(({ status }) => status === 'cancelled').map((group) => [group.id, group]))
  const billed = new Set(closures.filter(({ is_billed: isBilled }) => isBilled).map(({ id }) => id))
  const made = await madeLessons(whole, asked, { billed, cancelled })
  const isWhole = closures.length === 0 && cancelled.size === 0
  const unmade = isWhole ? [] : await unmadeLessons(whole, asked, { groups, closures })
  const byGroup = Map.groupBy([...made, ...unmade], ([groupId]) => groupId)
  return (groupId) => (byGroup.get(groupId) ?? []).map(([, lesson]) => lesson)
}
