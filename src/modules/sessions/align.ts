import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { inBatches } from '#runtime/change/batches.ts'
import type { Row } from '#runtime/records/records.ts'
import { closureOn, closuresOf, type ClosedDays } from './closed.ts'
import { coverNew } from './covered.ts'
import {
  checkCount,
  createMissing,
  meets,
  occurrencesFor,
  onOpenDays,
  rulesOf,
  toRule,
  type ScheduledGroup,
} from './generation.ts'
import type { Occurrence } from './occurrences.ts'
import { GROUP_REASON_TEXTS, type GroupReason } from './reasons.ts'

/** Sessions that are still to come. */
export interface ToCome {
  count: number
  /** When the first and the last of them begin; null: there are none. */
  first: string | null
  last: string | null
}

/** What became of a group's sessions. */
export interface Aligned {
  /** They are gone: nothing hung on them. */
  removed: number
  cancelled: number
  /** They had been cancelled, and take place after all. */
  restored: number
  created: number
  /** Why lessons of the group do not take place; null: none is cancelled or removed because of the group. */
  reason: GroupReason | null
  /** Of all these, what is still to come and so worth a message. */
  gone: ToCome
  back: ToCome
}

type SessionRow = Row<'session'>
type Dates = Pick<ScheduledGroup, 'starts_on' | 'ends_on'>

interface Options {
  /** The dates of the group before they changed: sessions outside the weekly times are cancelled that lay within them. */
  former?: Dates
  /** Only sessions of these days, both inclusive. */
  days?: { from: string; to: string }
  /** Until when sessions are made that are missing. */
  until: string
}

const outside = (date: string, { starts_on: startsOn, ends_on: endsOn }: Dates): GroupReason | undefined => {
  if (startsOn !== null && date < startsOn) return 'begins_later'
  return endsOn !== null && date > endsOn ? 'ends_earlier' : undefined
}

type Obstacle = { by: 'group'; reason: GroupReason } | { by: 'closure'; closure: ClosedDays }

/** What keeps a session from taking place; undefined: nothing. */
const obstacleOf = (
  tx: Tx,
  session: SessionRow,
  { group, former, closures }: { group: ScheduledGroup; former: Dates | undefined; closures: readonly ClosedDays[] },
): Obstacle | undefined => {
  // Of a group that has ended, what was still to come then does not come back when its time is over.
  if (!meets(group) && (session.scheduled_start > tx.now || session.cancelled_by === 'group')) {
    return { by: 'group', reason: group.status === 'completed' ? 'completed' : 'cancelled' }
  }
  const date = localDate(session.scheduled_start, tx.tenant.timezone)
  const reason = outside(session.occurrence_date ?? date, group)
  // What somebody added outside the dates of the group they meant to be there.
  const wasWithin = session.occurrence_date !== null || (former !== undefined && !outside(date, former))
  if (reason && (wasWithin || session.cancelled_by === 'group')) return { by: 'group', reason }
  const closure = closureOn(closures, date)
  return closure && { by: 'closure', closure }
}

/** Whether somebody wrote something on it, moved it or gave it to a substitute. */
const isTouched = (session: SessionRow): boolean =>
  session.occurrence_date === null ||
  session.is_moved ||
  [session.topic, session.notes, session.lesson_id, session.teacher_staff_id].some((value) => value !== null)

/** @returns those that are gone: one that was marked since it was read is now held, and stays */
export const removeSessions = async ({ whole }: Tx, sessions: readonly SessionRow[]): Promise<SessionRow[]> => {
  const removed = new Set<string>()
  await inBatches(sessions, async (batch) => {
    const ids = batch.map(({ id }) => id)
    const query = whole.deleteFrom('session').where('id', 'in', ids).where('status', '!=', 'held').returning('id')
    for (const { id } of await query.execute()) removed.add(id)
  })
  return sessions.filter(({ id }) => removed.has(id))
}

const setState = async (
  { whole, now }: Tx,
  sessions: readonly SessionRow[],
  state: Pick<SessionRow, 'status' | 'cancel_reason' | 'cancelled_by' | 'closure_id'>,
): Promise<SessionRow[]> => {
  const changed = new Set<string>()
  await inBatches(sessions, async (batch) => {
    const rows = await whole
      .updateTable('session')
      .set({ ...state, updated_at: now })
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .where('status', '!=', 'held')
      .returning('id')
      .execute()
    for (const { id } of rows) changed.add(id)
  })
  return sessions.filter(({ id }) => changed.has(id))
}

const stateOf = ({ tenant }: Tx, obstacle: Obstacle) =>
  obstacle.by === 'group'
    ? { cancel_reason: GROUP_REASON_TEXTS[tenant.defaultLocale][obstacle.reason], closure_id: null }
    : { cancel_reason: obstacle.closure.name, closure_id: obstacle.closure.id }

/** Cancels those that take place, and says of the others by what they are cancelled now. */
const cancelSessions = async (tx: Tx, sessions: readonly SessionRow[], obstacle: Obstacle): Promise<SessionRow[]> => {
  const state = stateOf(tx, obstacle)
  const differing = sessions.filter(
    (session) =>
      session.status === 'scheduled' ||
      session.cancelled_by !== obstacle.by ||
      session.cancel_reason !== state.cancel_reason ||
      session.closure_id !== state.closure_id,
  )
  const changed = await setState(tx, differing, { status: 'cancelled', cancelled_by: obstacle.by, ...state })
  const cancelled = changed.filter(({ status }) => status === 'scheduled')
  for (const { id, group_id: groupId, scheduled_start: scheduledStart } of cancelled) {
    tx.emit('session.cancelled', { sessionId: id, groupId, scheduledStart, reason: state.cancel_reason })
  }
  return cancelled
}

/** @param times begin and end of sessions, in any order */
const toCome = (now: string, times: readonly { start: string; end: string }[]): ToCome => {
  const starts = times.filter(({ end }) => end > now).map(({ start }) => start)
  starts.sort()
  return { count: starts.length, first: starts[0] ?? null, last: starts.at(-1) ?? null }
}

const timesOf = (session: SessionRow) => ({ start: session.scheduled_start, end: session.scheduled_end })

/** Whoever is not held, and was not cancelled by somebody. */
const alignable = ({ whole, tenant }: Tx, groupId: string, days: Options['days']) => {
  const all = whole
    .selectFrom('session')
    .selectAll()
    .where('group_id', '=', groupId)
    .where((eb) => eb.or([eb('status', '=', 'scheduled'), eb('cancelled_by', 'in', ['group', 'closure'])]))
    .orderBy('scheduled_start')
    .orderBy('id')
  if (!days) return all.execute()
  return all
    .where('scheduled_start', '>=', startOfLocalDay(days.from, tenant.timezone))
    .where('scheduled_start', '<', startOfLocalDay(addDays(days.to, 1), tenant.timezone))
    .execute()
}

/** By what they are kept from taking place; those under `undefined` are not. */
const byObstacle = (obstacles: ReadonlyMap<SessionRow, Obstacle | undefined>) =>
  [...Map.groupBy(obstacles, ([, obstacle]) => JSON.stringify(obstacle)).values()].map((alike) => ({
    obstacle: alike[0]?.[1],
    sessions: alike.map(([session]) => session),
  }))

/** The missing sessions of the rules that are not over. */
const createUpcoming = async (tx: Tx, group: ScheduledGroup, { days, until }: Options): Promise<Occurrence[]> => {
  const rules = await rulesOf(tx.whole, group.id)
  const asked = await onOpenDays(tx, group, occurrencesFor(tx, group, rules.map(toRule), until))
  const upcoming = asked.filter(({ end, date }) => end > tx.now && (!days || (date >= days.from && date <= days.to)))
  checkCount(upcoming, 'endsOn')
  return createMissing(tx, group.id, upcoming)
}

/**
 * Brings the sessions of a group in line with its dates, its status and the days on which its branch is closed. Those
 * that do not fit are cancelled, or removed when they are still to come and nothing hangs on them; those that were
 * cancelled for a reason that is gone come back; those that are missing are made. Held sessions stay, and what somebody
 * cancelled. Repeated, it changes nothing.
 * @throws VALIDATION_ERROR when more sessions are missing than are made at once
 */
export const alignGroup = async (tx: Tx, group: ScheduledGroup, options: Options): Promise<Aligned> => {
  const sessions = await alignable(tx, group.id, options.days)
  const [first, last] = [sessions[0], sessions.at(-1)]
  const dayOf = (session: SessionRow) => localDate(session.scheduled_start, tx.tenant.timezone)
  const closures =
    first && last ? await closuresOf(tx.whole, group.branch_id, { from: dayOf(first), until: dayOf(last) }) : []
  const found = { group, former: options.former, closures }
  const obstacles = new Map(sessions.map((session) => [session, obstacleOf(tx, session, found)]))
  const aligned = { removed: 0, cancelled: 0, restored: 0, reason: null as GroupReason | null }
  const gone: SessionRow[] = []
  const back: SessionRow[] = []
  for (const { obstacle, sessions: alike } of byObstacle(obstacles)) {
    if (!obstacle) {
      const state = { status: 'scheduled', cancel_reason: null, cancelled_by: null, closure_id: null } as const
      back.push(
        ...(await setState(
          tx,
          alike.filter(({ status }) => status === 'cancelled'),
          state,
        )),
      )
      continue
    }
    const isBare = (session: SessionRow) =>
      obstacle.by === 'group' && session.scheduled_start > tx.now && !isTouched(session)
    const removed = await removeSessions(tx, alike.filter(isBare))
    const others = alike.filter((session) => !isBare(session))
    const cancelled = await cancelSessions(tx, others, obstacle)
    aligned.removed += removed.length
    aligned.cancelled += cancelled.length
    // Of one that was cancelled before, people have been told.
    gone.push(...removed.filter(({ status }) => status === 'scheduled'), ...cancelled)
    if (obstacle.by === 'group' && removed.length + cancelled.length > 0) aligned.reason = obstacle.reason
  }
  const ownAgain = back.filter((session) => session.teacher_staff_id === null)
  await coverNew(
    tx,
    group.id,
    ownAgain.map((session) => ({ id: session.id, date: dayOf(session) })),
  )
  aligned.restored = back.length
  const created = await createUpcoming(tx, group, options)
  return {
    ...aligned,
    created: created.length,
    gone: toCome(tx.now, gone.map(timesOf)),
    back: toCome(tx.now, [...back.map(timesOf), ...created]),
  }
}
