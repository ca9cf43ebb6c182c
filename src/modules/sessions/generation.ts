import * as v from 'valibot'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import type { Row } from '#runtime/records/records.ts'
import { WINDOW_DAYS, windowOf, type WeeklyRule as Rule } from '#shared/occurrences.ts'
import { closureOn, closuresOf } from './closed.ts'
import { coverNew } from './covered.ts'
import { occurrencesOf, type Occurrence } from './occurrences.ts'
import { ScheduleRule } from './schemas.ts'

/** What decides when a group meets, beside its weekly times. The caller reaches the group and holds a lock on its row. */
export type ScheduledGroup = Pick<Row<'group'>, 'id' | 'branch_id' | 'status' | 'starts_on' | 'ends_on'>

/** Whether a group of this status has lessons still to come. */
export const meets = ({ status }: Pick<ScheduledGroup, 'status'>): boolean =>
  status === 'planned' || status === 'active'

/** A group's schedule rules, in the order of the week. */
export const rulesOf = (db: ScopedDb, groupId: string) => rulesOfGroup(db, { groupId })

const rulesOfGroup = compiledInTenant((db, { groupId }: { groupId: string }) =>
  db
    .selectFrom('schedule_rule')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('weekday')
    .orderBy('start_time')
    .orderBy('valid_from'),
)

export const toRule = shows(v.omit(ScheduleRule, ['id', 'groupId']))

/**
 * The most sessions of one group that a transaction generates or moves, because others wait meanwhile: two a day for
 * more than a year.
 */
export const MOST_OCCURRENCES = 850

/** @throws VALIDATION_ERROR for a schedule that asks for more sessions than are generated at once */
export const checkCount = (occurrences: readonly Occurrence[], path: string): void => {
  if (occurrences.length <= MOST_OCCURRENCES) return
  throw invalid([path], `Asks for ${occurrences.length} sessions; at most ${MOST_OCCURRENCES} are made at once.`)
}

/** The occurrences of the rules from today to `until` (both inclusive), within the dates of the group. */
export const occurrencesFor = (
  { today, tenant }: Tx,
  group: ScheduledGroup,
  rules: readonly Rule[],
  until: string,
): Occurrence[] =>
  meets(group)
    ? occurrencesOf(
        rules,
        windowOf(today, { startsOn: group.starts_on, endsOn: group.ends_on }, until),
        tenant.timezone,
      )
    : []

/** Those of the occurrences, in order of time, on whose days the group's branch is not closed. */
export const onOpenDays = async (
  { whole }: Tx,
  group: ScheduledGroup,
  occurrences: readonly Occurrence[],
): Promise<Occurrence[]> => {
  const [first, last] = [occurrences[0], occurrences.at(-1)]
  if (!first || !last) return []
  const closures = await closuresOf(whole, group.branch_id, { from: first.date, until: last.date })
  return occurrences.filter(({ date }) => !closureOn(closures, date))
}

export const slotOf = (date: string | null, startTime: string | null): string => `${date} ${startTime}`

/**
 * Rows per statement. The remainder goes into smaller statements, so that a few compiled ones suffice for any number.
 */
export const ROWS_AT_ONCE = [100, 50, 10, 5, 1]

interface NewSessions {
  groupId: string
  now: string
  /** The value of each cell, under the key `<column> <row>`. */
  [cell: string]: string
}

/** Inserts that many sessions; skips an occurrence that has a session already. */
const inserts = ROWS_AT_ONCE.map((count) => ({
  count,
  insert: compiledInTenant((db, values: NewSessions) =>
    db
      .insertInto('session')
      .values(
        Array.from({ length: count }, (_, row) => ({
          id: values[`id ${row}`] as string,
          group_id: values.groupId,
          scheduled_start: values[`start ${row}`] as string,
          scheduled_end: values[`end ${row}`] as string,
          status: 'scheduled' as const,
          teacher_staff_id: null,
          topic: null,
          notes: null,
          lesson_id: null,
          occurrence_date: values[`date ${row}`] as string,
          occurrence_slot: values[`startTime ${row}`] as string,
          cancel_reason: null,
          cancelled_by: null,
          closure_id: null,
          roster_complete_at: null,
          created_at: values.now,
          updated_at: values.now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'group_id', 'occurrence_date', 'occurrence_slot']).doNothing(),
      )
      .returning('id'),
  ),
}))

const cellsOf = (ids: readonly string[], batch: readonly Occurrence[]): Record<string, string> => {
  const cells: Record<string, string> = {}
  for (const [row, { start, end, date, startTime }] of batch.entries()) {
    cells[`id ${row}`] = ids[row] as string
    cells[`start ${row}`] = start
    cells[`end ${row}`] = end
    cells[`date ${row}`] = date
    cells[`startTime ${row}`] = startTime
  }
  return cells
}

const slotsTaken = compiledInTenant((whole, days: { groupId: string; from: string; until: string }) =>
  whole
    .selectFrom('session')
    .select(['occurrence_date', 'occurrence_slot'])
    .where('group_id', '=', days.groupId)
    .where('occurrence_date', '>=', days.from)
    .where('occurrence_date', '<=', days.until),
)

/** Those of the occurrences, in order of time, that have no session, in any status. */
export const missingOf = async (
  { whole }: Tx,
  groupId: string,
  occurrences: readonly Occurrence[],
): Promise<Occurrence[]> => {
  const [first] = occurrences
  if (!first) return []
  const taken = await slotsTaken(whole, { groupId, from: first.date, until: occurrences.at(-1)?.date ?? first.date })
  const slots = new Set(taken.map((row) => slotOf(row.occurrence_date, row.occurrence_slot)))
  return occurrences.filter(({ date, startTime }) => !slots.has(slotOf(date, startTime)))
}

/**
 * Adds sessions, given to whoever stands in for the group's teacher then. An occurrence that has got a session meanwhile is
 * skipped.
 * @returns the occurrences that got one
 */
export const insertSessions = async (
  tx: Tx,
  groupId: string,
  missing: readonly Occurrence[],
): Promise<Occurrence[]> => {
  const made: Occurrence[] = []
  const madeOn: { id: string; date: string }[] = []
  let done = 0
  for (const { count, insert } of inserts) {
    for (; missing.length - done >= count; done += count) {
      const batch = missing.slice(done, done + count)
      const ids = batch.map(() => tx.id())
      const inserted = await insert(tx.whole, { ...cellsOf(ids, batch), groupId, now: tx.now })
      const kept = new Set(inserted.map(({ id }) => id))
      for (const [row, occurrence] of batch.entries()) {
        const id = ids[row] as string
        if (!kept.has(id)) continue
        made.push(occurrence)
        madeOn.push({ id, date: occurrence.date })
      }
    }
  }
  await coverNew(tx, groupId, madeOn)
  return made
}

/** Adds the missing sessions of occurrences in order of time. @returns those that got one */
export const createMissing = async (
  tx: Tx,
  groupId: string,
  occurrences: readonly Occurrence[],
): Promise<Occurrence[]> => insertSessions(tx, groupId, await missingOf(tx, groupId, occurrences))

/**
 * Generates the sessions of the group's rules until `until`. `total` counts the occurrences, `created` the new
 * sessions.
 * @throws VALIDATION_ERROR for more than are generated at once
 */
export const generateSessions = async (
  tx: Tx,
  group: ScheduledGroup,
  until: string = addDays(tx.today, WINDOW_DAYS),
): Promise<{ created: number; total: number }> => {
  const rules = await rulesOf(tx.db, group.id)
  const occurrences = await onOpenDays(tx, group, occurrencesFor(tx, group, rules.map(toRule), until))
  checkCount(occurrences, 'until')
  const result = { created: (await createMissing(tx, group.id, occurrences)).length, total: occurrences.length }
  tx.audit({ entityType: 'group', entityId: group.id, after: result, metadata: { from: tx.today, until } })
  return result
}

/** Whether a session of the schedule stands where its weekly times put it, so that it goes on to follow them. */
export const standsAsPlanned = async (
  { whole, tenant }: Tx,
  session: Pick<Row<'session'>, 'group_id' | 'occurrence_date' | 'occurrence_slot'>,
  { scheduledStart, scheduledEnd }: { scheduledStart: string; scheduledEnd: string },
): Promise<boolean> => {
  const { group_id: groupId, occurrence_date: date, occurrence_slot: slot } = session
  if (date === null) return false
  const rules = (await rulesOf(whole, groupId)).map(toRule)
  return occurrencesOf(rules, { from: date, until: date }, tenant.timezone).some(
    ({ startTime, start, end }) => startTime === slot && start === scheduledStart && end === scheduledEnd,
  )
}
