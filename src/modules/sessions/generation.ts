import * as v from 'valibot'
import { compiledInTenant } from '#db/compiled.ts'
import { invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { WINDOW_DAYS, windowOf, type WeeklyRule as Rule } from '#shared/occurrences.ts'
import { occurrencesOf, type Occurrence } from './occurrences.ts'
import { ScheduleRule } from './schemas.ts'

/** A group's bounds for its schedule. The caller reaches the group and holds a lock on its row. */
interface ScheduledGroup {
  id: string
  starts_on: string | null
  ends_on: string | null
}

/** A group's schedule rules, in the order of the week. */
export const rulesOf = (db: ScopedDb, groupId: string) =>
  db
    .selectFrom('schedule_rule')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('weekday')
    .orderBy('start_time')
    .orderBy('valid_from')
    .execute()

export const toRule = shows(v.omit(ScheduleRule, ['id', 'groupId']))

/**
 * The most sessions of one group that a transaction generates or moves, because others wait meanwhile: two a day for
 * more than a year.
 */
const MOST_OCCURRENCES = 850

/** @throws VALIDATION_ERROR for a schedule that asks for more sessions than are generated at once */
const checkCount = (occurrences: readonly Occurrence[], path: string): void => {
  if (occurrences.length <= MOST_OCCURRENCES) return
  throw invalid([path], `Asks for ${occurrences.length} sessions; at most ${MOST_OCCURRENCES} are made at once.`)
}

/** The occurrences of the rules from today to `until` (both inclusive), within the dates of the group. */
const occurrencesFor = (
  { today, tenant }: Tx,
  { starts_on: startsOn, ends_on: endsOn }: ScheduledGroup,
  rules: readonly Rule[],
  until: string,
): Occurrence[] => occurrencesOf(rules, windowOf(today, { startsOn, endsOn }, until), tenant.timezone)

const slotOf = (date: string | null, startTime: string | null): string => `${date} ${startTime}`

/**
 * Rows per statement. The remainder goes into smaller statements, so that three compiled ones suffice for any number.
 */
const ROWS_AT_ONCE = [100, 10, 1]

interface NewSessions {
  groupId: string
  now: string
  /** The value of each cell, under the key `<column> <row>`. */
  [cell: string]: string
}

/** Inserts that many sessions; skips an occurrence that has a session already. */
const insertSessions = ROWS_AT_ONCE.map((count) => ({
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

const cellsOf = ({ id }: Tx, batch: readonly Occurrence[]): Record<string, string> => {
  const cells: Record<string, string> = {}
  for (const [row, { start, end, date, startTime }] of batch.entries()) {
    cells[`id ${row}`] = id()
    cells[`start ${row}`] = start
    cells[`end ${row}`] = end
    cells[`date ${row}`] = date
    cells[`startTime ${row}`] = startTime
  }
  return cells
}

/** Adds the missing sessions. An occurrence that has a session, in any status, is skipped. */
const createMissing = async (tx: Tx, groupId: string, occurrences: readonly Occurrence[]): Promise<number> => {
  const [first] = occurrences
  if (!first) return 0
  const taken = await tx.whole
    .selectFrom('session')
    .select(['occurrence_date', 'occurrence_slot'])
    .where('group_id', '=', groupId)
    .where('occurrence_date', '>=', first.date)
    .execute()
  const slots = new Set(taken.map((row) => slotOf(row.occurrence_date, row.occurrence_slot)))
  const missing = occurrences.filter(({ date, startTime }) => !slots.has(slotOf(date, startTime)))
  let made = 0
  let done = 0
  for (const { count, insert } of insertSessions) {
    for (; missing.length - done >= count; done += count) {
      const cells = cellsOf(tx, missing.slice(done, done + count))
      made += (await insert(tx.whole, { ...cells, groupId, now: tx.now })).length
    }
  }
  return made
}

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
  const occurrences = occurrencesFor(tx, group, rules.map(toRule), until)
  checkCount(occurrences, 'until')
  const result = { created: await createMissing(tx, group.id, occurrences), total: occurrences.length }
  tx.audit({ entityType: 'group', entityId: group.id, after: result, metadata: { from: tx.today, until } })
  return result
}

/** Future sessions of the schedule: not begun, held or cancelled, and due today or later. */
const upcoming = ({ db, today, now }: Tx, groupId: string) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('status', '=', 'scheduled')
    .where('occurrence_date', '>=', today)
    .where('scheduled_start', '>', now)
    .orderBy('occurrence_date')
    .execute()

type SessionRow = Awaited<ReturnType<typeof upcoming>>[number]

/** A session that was marked since it was read is now held, and stays. */
const removeAll = async ({ db }: Tx, sessions: readonly SessionRow[]): Promise<string[]> => {
  const removed: string[] = []
  await inBatches(sessions, async (batch) => {
    const ids = batch.map(({ id }) => id)
    const rows = await db
      .deleteFrom('session')
      .where('id', 'in', ids)
      .where('status', '=', 'scheduled')
      .returning('id')
      .execute()
    removed.push(...rows.map(({ id }) => id))
  })
  return removed
}

const changeEnd = compiledInTenant((db, { id, end, now }: { id: string; end: string; now: string }) =>
  db
    .updateTable('session')
    .set({ scheduled_end: end, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .returning('id'),
)

/**
 * Updates the future sessions after the group's rules changed from `before` to `after`. A slot in both keeps its
 * session and what was written on it; if the rule's length changed, the session follows unless somebody had moved it.
 * Slots that are gone lose their session; new slots get one, for the usual window and as far ahead as sessions existed
 * before.
 * @throws VALIDATION_ERROR when that is more than is generated at once
 */
export const alignSessions = async (
  tx: Tx,
  group: ScheduledGroup,
  { before, after }: { before: readonly Rule[]; after: readonly Rule[] },
): Promise<{ created: number; removedSessions: SessionRow[] }> => {
  const existing = await upcoming(tx, group.id)
  const window = addDays(tx.today, WINDOW_DAYS)
  const furthest = existing.at(-1)?.occurrence_date ?? window
  const until = furthest > window ? furthest : window
  const bySlot = (occurrences: readonly Occurrence[]) =>
    new Map(occurrences.map((one) => [slotOf(one.date, one.startTime), one]))
  const asked = occurrencesFor(tx, group, after, until)
  checkCount(asked, 'schedules')
  const wanted = bySlot(asked)
  let earlier: ReturnType<typeof bySlot> | undefined

  const gone: SessionRow[] = []
  for (const session of existing) {
    const slot = slotOf(session.occurrence_date, session.occurrence_slot)
    const occurrence = wanted.get(slot)
    if (!occurrence) {
      gone.push(session)
    } else if (occurrence.end !== session.scheduled_end) {
      earlier ??= bySlot(occurrencesFor(tx, group, before, until))
      const was = earlier.get(slot)
      const untouched = was?.start === session.scheduled_start && was.end === session.scheduled_end
      if (untouched) await changeEnd(tx.whole, { id: session.id, end: occurrence.end, now: tx.now })
    }
  }
  const removed = new Set(await removeAll(tx, gone))
  const created = await createMissing(tx, group.id, [...wanted.values()])
  return { created, removedSessions: gone.filter(({ id }) => removed.has(id)) }
}
