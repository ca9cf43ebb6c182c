import { plusSeconds } from '#kernel/time/clock.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, localInstant, localTime, startOfLocalDay, weekdayOf } from '#kernel/time/zone.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { ChannelName } from '../tables.ts'

/*
 * Quiet hours: what can wait is handed over when they end. A message is looked at when it is written, so that its entry
 * says until when it waits, and again at each attempt: also of a server that was off, and after the settings changed.
 */

/** What people have to hear at once, whatever the hour: a child who is not where they should be, an institute that is locked. */
const AT_ONCE: ReadonlySet<string> = new Set(['student.absent', 'attendance.corrected', 'tenant.locked'])

/** What happens sooner after the end of quiet hours than this is told at once. */
const NOTICE_SECONDS = 2 * 3600

/** Closed days and quiet days may follow one another, but nothing waits for longer. */
const MOST_DAYS = 14

type Quiet = Pick<Settings, 'quietHours' | 'quietDays'>

export interface ClosedSpan {
  from: string
  to: string
}

/** The end of the quiet hours in which a time of the day lies; undefined: it lies in none. */
const endOfHours = ({ quietHours }: Quiet, date: string, time: string): { date: string; time: string } | undefined => {
  if (quietHours === null) return undefined
  const { from, to } = quietHours
  if (from < to) return from <= time && time < to ? { date, time: to } : undefined
  if (time >= from) return { date: addDays(date, 1), time: to }
  return time < to ? { date, time: to } : undefined
}

/**
 * When the quiet time ends in which an instant lies, by the clocks of the institute, also over a clock change.
 * @param closed closed days, where they are quiet
 * @returns the instant itself where it lies in none
 */
export const quietEnd = (instant: string, quiet: Quiet, closed: readonly ClosedSpan[], zone: string): string => {
  let at = instant
  for (let steps = 0; steps < MOST_DAYS * 2; steps += 1) {
    const date = localDate(at, zone)
    const isQuietDay =
      quiet.quietDays.weekdays.includes(weekdayOf(date)) || closed.some(({ from, to }) => from <= date && date <= to)
    const hours = endOfHours(quiet, date, localTime(at, zone).slice(11, 16))
    const end = isQuietDay
      ? startOfLocalDay(addDays(date, 1), zone)
      : hours && localInstant(hours.date, hours.time, zone)
    // A clock change may skip the end: then it is over already.
    if (end === undefined || end <= at) return at
    at = end
  }
  return at
}

/** What decides whether a message waits. */
interface Waiting {
  channel: ChannelName
  template_key: string
  branch_id: string | null
  happens_at: string | null
}

export interface QuietOf {
  /** When a message that is due at an instant may be handed over. */
  (message: Waiting, due: string): string
}

/** What the quiet hours of an institute mean for its messages, and its closed days where these are quiet too. */
export const quietOf = async (
  whole: ScopedDb,
  quiet: Quiet,
  { now, zone }: { now: string; zone: string },
): Promise<QuietOf> => {
  const { quietHours, quietDays } = quiet
  if (quietHours === null && quietDays.weekdays.length === 0 && !quietDays.onClosedDays) return (_, due) => due
  const closures = quietDays.onClosedDays
    ? await whole
        .selectFrom('closure')
        .select(['from_date as from', 'to_date as to', 'branch_id'])
        .where('to_date', '>=', localDate(now, zone))
        .where('from_date', '<=', addDays(localDate(now, zone), MOST_DAYS))
        .execute()
    : []
  return ({ channel, template_key: key, branch_id: branchId, happens_at: happensAt }, due) => {
    if (channel === 'in_app' || AT_ONCE.has(key)) return due
    const closed = closures.filter((one) => one.branch_id === null || one.branch_id === branchId)
    const end = quietEnd(due, quiet, closed, zone)
    return happensAt !== null && happensAt < plusSeconds(end, NOTICE_SECONDS) ? due : end
  }
}
