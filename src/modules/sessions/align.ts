import { compiledByIds } from '#db/queries/compiled.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate } from '#kernel/time/zone.ts'
import { inBatches } from '#runtime/change/batches.ts'
import {
  dayOfStep,
  partOf,
  planAlignment,
  stateFor,
  type Days,
  type Obstacle,
  type Options,
  type SessionRow,
  type Step,
} from './alignment-plan.ts'
import { coverNew } from './covered.ts'
import { insertSessions, type ScheduledGroup } from './generation.ts'
import type { GroupReason } from './reasons.ts'

/** Sessions that are still to come. */
export interface ToCome {
  count: number
  /** When the first and the last of them begin; null: there are none. */
  first: string | null
  last: string | null
}

interface Counts {
  /** They are gone: nothing hung on them. */
  removed: number
  cancelled: number
  /** They had been cancelled, and take place after all. */
  restored: number
  created: number
}

/** What was done to a group's sessions. */
export interface Done extends Counts {
  /** Why lessons of the group do not take place; null: none is cancelled or removed because of the group. */
  reason: GroupReason | null
  /** When those begin that are still to come and do not take place, or take place after all, in any order. */
  gone: string[]
  back: string[]
}

/** What became of a group's sessions. */
export interface Aligned extends Counts, Pick<Done, 'reason'> {
  /** Of all these, what is still to come and so worth a message. */
  gone: ToCome
  back: ToCome
}

const removeUnlessHeld = compiledByIds((whole, ids) =>
  whole.deleteFrom('session').where('id', 'in', ids).where('status', '!=', 'held').returning('id'),
)

/** @returns those that are gone: one that was marked since it was read is now held, and stays */
export const removeSessions = async <Session extends SessionRow>(
  { whole }: Tx,
  sessions: readonly Session[],
): Promise<Session[]> => {
  const removed = new Set<string>()
  await inBatches(sessions, async (batch) => {
    const gone = await removeUnlessHeld(
      whole,
      batch.map(({ id }) => id),
    )
    for (const { id } of gone) removed.add(id)
  })
  return sessions.filter(({ id }) => removed.has(id))
}

export const setState = async <Session extends SessionRow>(
  { whole, now }: Tx,
  sessions: readonly Session[],
  state: Pick<SessionRow, 'status' | 'cancel_reason' | 'cancelled_by' | 'closure_id'>,
): Promise<Session[]> => {
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

/** @returns of those that are cancelled now, who took place until now */
const cancelSessions = async (tx: Tx, sessions: readonly SessionRow[], obstacle: Obstacle): Promise<SessionRow[]> => {
  const state = stateFor(tx, obstacle)
  const changed = await setState(tx, sessions, state)
  const cancelled = changed.filter(({ status }) => status === 'scheduled')
  for (const { id, group_id: groupId, scheduled_start: scheduledStart } of cancelled) {
    tx.emit('session.cancelled', { sessionId: id, groupId, scheduledStart, reason: state.cancel_reason })
  }
  return cancelled
}

/** Brings sessions back, to whoever stands in for the group's teacher then. */
const restoreSessions = async (tx: Tx, groupId: string, sessions: readonly SessionRow[]): Promise<SessionRow[]> => {
  const state = { status: 'scheduled', cancel_reason: null, cancelled_by: null, closure_id: null } as const
  const restored = await setState(tx, sessions, state)
  const ownAgain = restored.filter((session) => session.teacher_staff_id === null)
  const dayOf = (session: SessionRow) => localDate(session.scheduled_start, tx.tenant.timezone)
  await coverNew(
    tx,
    groupId,
    ownAgain.map((session) => ({ id: session.id, date: dayOf(session) })),
  )
  return restored
}

const ofKind = <Kind extends Step['does']>(steps: readonly Step[], kind: Kind) =>
  steps.filter((step): step is Extract<Step, { does: Kind }> => step.does === kind)

/** Those that are to be cancelled for one reason together. */
const byObstacle = (steps: readonly Extract<Step, { does: 'cancel' }>[]) =>
  Map.groupBy(steps, ({ obstacle }) => (obstacle.by === 'group' ? obstacle.reason : obstacle.closure.id))

/** When those begin that are not over. */
const startsToCome = ({ now }: Tx, times: readonly { start: string; end: string }[]): string[] =>
  times.filter(({ end }) => end > now).map(({ start }) => start)

const timesOf = (session: SessionRow) => ({ start: session.scheduled_start, end: session.scheduled_end })

/** Does what was planned. Held sessions stay, also one that was marked since it was read. */
export const takeSteps = async (tx: Tx, groupId: string, steps: readonly Step[]): Promise<Done> => {
  const counts = { removed: 0, cancelled: 0, restored: 0, created: 0 }
  let reason: GroupReason | null = null
  const gone: SessionRow[] = []
  for (const [first, ...others] of byObstacle(ofKind(steps, 'cancel')).values()) {
    if (!first) continue
    const { obstacle } = first
    const sessions = [first, ...others].map(({ session }) => session)
    const cancelled = await cancelSessions(tx, sessions, obstacle)
    counts.cancelled += cancelled.length
    gone.push(...cancelled)
    if (obstacle.by === 'group' && cancelled.length > 0) reason = obstacle.reason
  }
  const toRemove = ofKind(steps, 'remove')
  const removed = await removeSessions(
    tx,
    toRemove.map(({ session }) => session),
  )
  counts.removed = removed.length
  if (removed.length > 0) reason = toRemove.at(-1)?.reason ?? reason
  // Of one that was cancelled before, people have been told.
  gone.push(...removed.filter(({ status }) => status === 'scheduled'))
  const back = await restoreSessions(
    tx,
    groupId,
    ofKind(steps, 'restore').map(({ session }) => session),
  )
  counts.restored = back.length
  const missing = ofKind(steps, 'create').map(({ occurrence }) => occurrence)
  const created = await insertSessions(tx, groupId, missing)
  counts.created = created.length
  return {
    ...counts,
    reason,
    gone: startsToCome(tx, gone.map(timesOf)),
    back: startsToCome(tx, [...back.map(timesOf), ...created]),
  }
}

/**
 * The first of the steps, so many at most. The last session that is missing is among them: how far ahead a group has
 * sessions says until when another change makes them.
 */
export const firstOf = (steps: readonly Step[], most: number): readonly Step[] => {
  const first = steps.slice(0, most)
  const last = steps.findLast(({ does }) => does === 'create')
  return last === undefined || first.includes(last) ? first : [...first.slice(0, -1), last]
}

/** Of steps in the order of time those that were not done. */
export const leftOf = (steps: readonly Step[], done: readonly Step[]): readonly Step[] => {
  const gone = new Set(done)
  return steps.filter((step) => !gone.has(step))
}

/** The day from which on there is something left to do or to look at; null: there is nothing. */
export const nextDay = (tx: Tx, left: readonly Step[], { part, days }: { part: Days; days: Days }): string | null => {
  const [first] = left
  if (first) return dayOfStep(tx, first)
  return part.to < days.to ? addDays(part.to, 1) : null
}

/** @param starts in any order */
export const toCome = (starts: readonly string[]): ToCome => {
  const sorted = starts.toSorted()
  return { count: sorted.length, first: sorted[0] ?? null, last: sorted.at(-1) ?? null }
}

/**
 * Brings the next sessions of a group in line with its dates, its status and the days on which its branch is closed. Those
 * that do not fit are cancelled, or removed when they are still to come and nothing hangs on them; those that were
 * cancelled for a reason that is gone come back; those that are missing are made. Held sessions stay, and what somebody
 * cancelled. Repeated, it changes nothing.
 * @param most so many sessions are changed, because others wait meanwhile
 * @returns also the day from which on it goes on; null: all of the days are done
 * @throws VALIDATION_ERROR when more sessions are missing than are made at once
 */
export const alignGroup = async (
  tx: Tx,
  group: ScheduledGroup,
  { most, days, until }: Omit<Options, 'former'> & { days: Days; most: number },
): Promise<Aligned & { next: string | null }> => {
  const part = await partOf(tx, group.id, days)
  const steps = await planAlignment(tx, group, { until, days: part })
  const first = firstOf(steps, most)
  const { gone, back, ...done } = await takeSteps(tx, group.id, first)
  const next = nextDay(tx, leftOf(steps, first), { part, days })
  return { ...done, gone: toCome(gone), back: toCome(back), next }
}
