import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Row } from '#runtime/records/records.ts'
import { closureOn, closuresOf, type ClosedDays } from './closed.ts'
import { checkCount, meets, missingOf, occurrencesFor, rulesOf, toRule, type ScheduledGroup } from './generation.ts'
import type { Occurrence } from './occurrences.ts'
import { GROUP_REASON_TEXTS, type GroupReason } from './reasons.ts'
import { sessionsWithFiles } from './with-files.ts'

/** Of a year of lessons each column counts. */
const COLUMNS = [
  'id',
  'group_id',
  'scheduled_start',
  'scheduled_end',
  'status',
  'cancelled_by',
  'cancel_reason',
  'closure_id',
  'occurrence_date',
  'is_moved',
  'created_at',
  // What somebody wrote on it, and whom they gave it to.
  'topic',
  'homework',
  'notes',
  'lesson_id',
  'teacher_staff_id',
] as const

export type SessionRow = Pick<Row<'session'>, (typeof COLUMNS)[number]>
type Dates = Pick<ScheduledGroup, 'starts_on' | 'ends_on'>

/** Both inclusive. */
export interface Days {
  from: string
  to: string
}

/** So many sessions of a group are read at once, where it has more. */
const PART = 60

const later = (one: string, other: string | null): string => (other !== null && other > one ? other : one)
const sooner = (one: string, other: string): string => (other < one ? other : one)

export interface Options {
  /**
   * The dates of the group before they changed, and when they did: sessions outside the weekly times are cancelled that
   * lay within them then.
   */
  former?: Dates & { changedAt: string }
  /** Only sessions of these days. */
  days?: Days
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

/** Earlier and later than any session begins. */
const EVER = { from: '1900-01-01T00:00:00.000Z', before: '2300-01-01T00:00:00.000Z' }

const alignableWithin = compiledInTenant(
  (whole, { groupId, from, before }: { groupId: string; from: string; before: string }) =>
    whole
      .selectFrom('session')
      .select(COLUMNS)
      .where('group_id', '=', groupId)
      .where('scheduled_start', '>=', from)
      .where('scheduled_start', '<', before)
      .where((eb) => eb.or([eb('status', '=', 'scheduled'), eb('cancelled_by', 'in', ['group', 'closure'])]))
      .orderBy('scheduled_start')
      .orderBy('id'),
)

/** Whoever is not held, and was not cancelled by somebody. */
const alignable = ({ whole, tenant }: Tx, groupId: string, days: Options['days']): Promise<SessionRow[]> =>
  alignableWithin(whole, {
    groupId,
    ...(days
      ? {
          from: startOfLocalDay(days.from, tenant.timezone),
          before: startOfLocalDay(addDays(days.to, 1), tenant.timezone),
        }
      : EVER),
  })

const nthStart = compiledInTenant((whole, { groupId, from }: { groupId: string; from: string }) =>
  whole
    .selectFrom('session')
    .select('scheduled_start')
    .where('group_id', '=', groupId)
    .where('scheduled_start', '>=', from)
    .orderBy('scheduled_start')
    .orderBy('id')
    .offset(PART)
    .limit(1),
)

/**
 * The first of these days, so many that a plan of them is made soon: it reads some sixty sessions of the group, but those
 * of one day at least.
 */
export const partOf = async ({ whole, tenant }: Tx, groupId: string, { from, to }: Days): Promise<Days> => {
  const [next] = await nthStart(whole, { groupId, from: startOfLocalDay(from, tenant.timezone) })
  if (!next) return { from, to }
  const last = addDays(localDate(next.scheduled_start, tenant.timezone), -1)
  return { from, to: sooner(to, later(from, last)) }
}

/** How a session stands that is kept from taking place. */
export const stateFor = ({ tenant }: Tx, obstacle: Obstacle) => {
  const cancelled = { status: 'cancelled', cancelled_by: obstacle.by } as const
  return obstacle.by === 'group'
    ? { ...cancelled, cancel_reason: GROUP_REASON_TEXTS[tenant.defaultLocale][obstacle.reason], closure_id: null }
    : { ...cancelled, cancel_reason: obstacle.closure.name, closure_id: obstacle.closure.id }
}

/** The occurrences of the rules that are not over, also on closed days. */
const upcomingOf = async (tx: Tx, group: ScheduledGroup, { days, until }: Options): Promise<Occurrence[]> => {
  if (!meets(group)) return []
  const rules = (await rulesOf(tx.whole, group.id)).map(toRule)
  const within = days ? { ...group, starts_on: later(days.from, group.starts_on) } : group
  return occurrencesFor(tx, within, rules, days ? sooner(until, days.to) : until).filter(({ end }) => end > tx.now)
}

/** One session that is changed, removed or made. */
export type Step =
  | { does: 'cancel'; session: SessionRow; obstacle: Obstacle }
  | { does: 'remove'; session: SessionRow; reason: GroupReason }
  | { does: 'restore'; session: SessionRow }
  | { does: 'create'; occurrence: Occurrence }

const beginOf = (step: Step): string => (step.does === 'create' ? step.occurrence.start : step.session.scheduled_start)

/** The day on which the session of a step is. */
export const dayOfStep = ({ tenant }: Tx, step: Step): string => localDate(beginOf(step), tenant.timezone)

type Kept = { session: SessionRow; obstacle: Obstacle | undefined }

/** Whether nothing hangs on a session that a group keeps from taking place, unless it has files. */
const isRemovable = ({ now }: Tx, { session, obstacle }: Kept): boolean =>
  obstacle?.by === 'group' && session.scheduled_start > now && !isTouched(session)

/** What becomes of a session that is there; undefined: it stays as it is. */
const stepFor = (tx: Tx, { session, obstacle }: Kept, withFiles: ReadonlySet<string>): Step | undefined => {
  if (!obstacle) return session.status === 'cancelled' ? { does: 'restore', session } : undefined
  if (obstacle.by === 'group' && isRemovable(tx, { session, obstacle }) && !withFiles.has(session.id)) {
    return { does: 'remove', session, reason: obstacle.reason }
  }
  const state = stateFor(tx, obstacle)
  const isThere = (Object.keys(state) as (keyof typeof state)[]).every((key) => session[key] === state[key])
  return isThere ? undefined : { does: 'cancel', session, obstacle }
}

/**
 * What has to be done so that the sessions of a group fit its dates, its status and the days on which its branch is closed,
 * in the order of time. Empty: they fit. The caller has locked the group.
 * @throws VALIDATION_ERROR when more sessions are missing than are made at once
 */
export const planAlignment = async (tx: Tx, group: ScheduledGroup, options: Options): Promise<Step[]> => {
  const sessions = await alignable(tx, group.id, options.days)
  const upcoming = await upcomingOf(tx, group, options)
  const days = [
    ...[sessions[0], sessions.at(-1)].flatMap((one) => one && localDate(one.scheduled_start, tx.tenant.timezone)),
    ...[upcoming[0], upcoming.at(-1)].map((one) => one?.date),
  ]
    .filter((day) => day !== undefined)
    .toSorted()
  const [from, until] = [days[0], days.at(-1)]
  const closures =
    from !== undefined && until !== undefined ? await closuresOf(tx.whole, group.branch_id, { from, until }) : []
  const found = { group, former: options.former, closures }
  const kept = sessions.map((session): Kept => ({ session, obstacle: obstacleOf(tx, session, found) }))
  const withFiles = kept.some((one) => isRemovable(tx, one))
    ? await sessionsWithFiles(tx.whole, group.id)
    : new Set<string>()
  const steps = kept.flatMap((one) => stepFor(tx, one, withFiles) ?? [])
  const open = upcoming.filter(({ date }) => !closureOn(closures, date))
  checkCount(open, 'endsOn')
  const missing = await missingOf(tx, group.id, open)
  if (missing.length === 0) return steps
  return [...steps, ...missing.map((occurrence): Step => ({ does: 'create', occurrence }))].toSorted((one, other) =>
    beginOf(one) < beginOf(other) ? -1 : 1,
  )
}
