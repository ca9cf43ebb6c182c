import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Row } from '#runtime/records/records.ts'
import { closureOn, closuresOf, type ClosedDays } from './closed.ts'
import {
  checkCount,
  meets,
  missingOf,
  occurrencesFor,
  onOpenDays,
  rulesOf,
  toRule,
  type ScheduledGroup,
} from './generation.ts'
import type { Occurrence } from './occurrences.ts'
import { GROUP_REASON_TEXTS, type GroupReason } from './reasons.ts'
import { sessionsWithFiles } from './with-files.ts'

export type SessionRow = Row<'session'>
type Dates = Pick<ScheduledGroup, 'starts_on' | 'ends_on'>

export interface Options {
  /**
   * The dates of the group before they changed, and when they did: sessions outside the weekly times are cancelled that
   * lay within them then.
   */
  former?: Dates & { changedAt: string }
  /** Only sessions of these days, both inclusive. */
  days?: { from: string; to: string }
  /** Until when sessions are made that are missing. */
  until: string
}

export type Obstacle = { by: 'group'; reason: GroupReason } | { by: 'closure'; closure: ClosedDays }

const outside = (date: string, { starts_on: startsOn, ends_on: endsOn }: Dates): GroupReason | undefined => {
  if (startsOn !== null && date < startsOn) return 'begins_later'
  return endsOn !== null && date > endsOn ? 'ends_earlier' : undefined
}

type Found = { group: ScheduledGroup; former: Options['former']; closures: readonly ClosedDays[] }

/** What keeps a session from taking place; undefined: nothing. */
const obstacleOf = (tx: Tx, session: SessionRow, { group, former, closures }: Found): Obstacle | undefined => {
  // Of a group that has ended, what was still to come then does not come back when its time is over.
  if (!meets(group) && (session.scheduled_start > tx.now || session.cancelled_by === 'group')) {
    return { by: 'group', reason: group.status === 'completed' ? 'completed' : 'cancelled' }
  }
  const date = localDate(session.scheduled_start, tx.tenant.timezone)
  const reason = outside(session.occurrence_date ?? date, group)
  // What somebody added outside the dates of the group they meant to be there.
  const wasWithin =
    session.occurrence_date !== null ||
    (former !== undefined && session.created_at <= former.changedAt && !outside(date, former))
  if (reason && (wasWithin || session.cancelled_by === 'group')) return { by: 'group', reason }
  const closure = closureOn(closures, date)
  return closure && { by: 'closure', closure }
}

/** Whether somebody wrote something on it, moved it or gave it to a substitute. */
const isTouched = (session: SessionRow): boolean =>
  session.occurrence_date === null ||
  session.is_moved ||
  [session.topic, session.homework, session.notes, session.lesson_id, session.teacher_staff_id].some(
    (value) => value !== null,
  )

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

/** How a session stands that is kept from taking place. */
export const stateFor = ({ tenant }: Tx, obstacle: Obstacle) => {
  const cancelled = { status: 'cancelled', cancelled_by: obstacle.by } as const
  return obstacle.by === 'group'
    ? { ...cancelled, cancel_reason: GROUP_REASON_TEXTS[tenant.defaultLocale][obstacle.reason], closure_id: null }
    : { ...cancelled, cancel_reason: obstacle.closure.name, closure_id: obstacle.closure.id }
}

/** The missing sessions of the rules that are not over. @throws VALIDATION_ERROR for more than are made at once */
const missingUpcoming = async (tx: Tx, group: ScheduledGroup, { days, until }: Options): Promise<Occurrence[]> => {
  const rules = await rulesOf(tx.whole, group.id)
  const asked = await onOpenDays(tx, group, occurrencesFor(tx, group, rules.map(toRule), until))
  const upcoming = asked.filter(({ end, date }) => end > tx.now && (!days || (date >= days.from && date <= days.to)))
  checkCount(upcoming, 'endsOn')
  return missingOf(tx, group.id, upcoming)
}

const ORDER = ['cancel', 'remove', 'restore'] as const

/** One session that is changed, removed or made. */
export type Step =
  | { does: 'cancel'; session: SessionRow; obstacle: Obstacle }
  | { does: 'remove'; session: SessionRow; reason: GroupReason }
  | { does: 'restore'; session: SessionRow }
  | { does: 'create'; occurrence: Occurrence }

/** What becomes of a session that is there; undefined: it stays as it is. */
const stepFor = (
  tx: Tx,
  session: SessionRow,
  { obstacle, hasFiles }: { obstacle: Obstacle | undefined; hasFiles: boolean },
): Step | undefined => {
  if (!obstacle) return session.status === 'cancelled' ? { does: 'restore', session } : undefined
  if (obstacle.by === 'group' && session.scheduled_start > tx.now && !isTouched(session) && !hasFiles) {
    return { does: 'remove', session, reason: obstacle.reason }
  }
  const state = stateFor(tx, obstacle)
  const isThere = (Object.keys(state) as (keyof typeof state)[]).every((key) => session[key] === state[key])
  return isThere ? undefined : { does: 'cancel', session, obstacle }
}

/**
 * What has to be done so that the sessions of a group fit its dates, its status and the days on which its branch is closed,
 * each kind in the order of time: what is there first. Empty: they fit. The caller has locked the group.
 * @throws VALIDATION_ERROR when more sessions are missing than are made at once
 */
export const planAlignment = async (tx: Tx, group: ScheduledGroup, options: Options): Promise<Step[]> => {
  const sessions = await alignable(tx, group.id, options.days)
  const [first, last] = [sessions[0], sessions.at(-1)]
  const dayOf = (session: SessionRow) => localDate(session.scheduled_start, tx.tenant.timezone)
  const closures =
    first && last ? await closuresOf(tx.whole, group.branch_id, { from: dayOf(first), until: dayOf(last) }) : []
  const found = { group, former: options.former, closures }
  const withFiles = await sessionsWithFiles(tx.whole, group.id)
  const steps = sessions.flatMap(
    (session) =>
      stepFor(tx, session, { obstacle: obstacleOf(tx, session, found), hasFiles: withFiles.has(session.id) }) ?? [],
  )
  const missing = await missingUpcoming(tx, group, options)
  return [
    ...ORDER.flatMap((kind) => steps.filter(({ does }) => does === kind)),
    ...missing.map((occurrence): Step => ({ does: 'create', occurrence })),
  ]
}
