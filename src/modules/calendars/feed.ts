import { createHash } from 'node:crypto'
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Locale } from '#shared/locale.ts'
import type { Content } from '#kernel/values/media.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { sessionsOf, type ScheduledSession } from '#modules/my-day/index.ts'
import { fullName, type Self } from '#modules/people/index.ts'
import { WORDS } from './words/index.ts'

export const DAYS_BACK = 31
export const DAYS_AHEAD = 180

/** How often a calendar program should ask again. Each has its own mind about it. */
const REFRESH_SECONDS = 3600

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** The longest list of parameters that both databases take well. */
const AT_ONCE = 500

const inSlices = async <T>(ids: readonly string[], read: (slice: readonly string[]) => Promise<T[]>): Promise<T[]> => {
  const rows: T[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) rows.push(...(await read(ids.slice(from, from + AT_ONCE))))
  return rows
}

/** Where a session is, what it is about, and when that changed last. */
const readPlaces = (whole: ScopedDb, sessionIds: readonly string[]) =>
  inSlices(sessionIds, (slice) =>
    whole
      .selectFrom('session')
      .innerJoin('group', 'group.id', 'session.group_id')
      .innerJoin('branch', 'branch.id', 'group.branch_id')
      .select(['session.id', 'session.topic', 'session.updated_at', 'group.room', 'branch.name as branchName'])
      .where('session.id', 'in', slice)
      .execute(),
  )

const readNames = async (whole: ScopedDb, studentIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const students = await inSlices(studentIds, (slice) =>
    whole.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', slice).execute(),
  )
  return new Map(students.map((row) => [row.id, fullName(row)]))
}

const childrenIn = (sessions: readonly ScheduledSession[]): string[] => [
  ...new Set(sessions.flatMap(({ relation, studentId }) => (relation === 'guardian' && studentId ? [studentId] : []))),
]

/**
 * The sessions of somebody as a calendar (RFC 5545), the same bytes as long as nothing changes. Times are in UTC, so no
 * reader has to know the rules of a time zone.
 */
export const calendarOf = async (
  whole: ScopedDb,
  { tenant, self, locale, now }: { tenant: TenantInfo; self: Self; locale: Locale; now: string },
): Promise<Content> => {
  const today = localDate(now, tenant.timezone)
  const sessions = await sessionsOf(whole, self, {
    start: startOfLocalDay(addDays(today, -DAYS_BACK), tenant.timezone),
    end: startOfLocalDay(addDays(today, DAYS_AHEAD + 1), tenant.timezone),
  })
  const places = await readPlaces(whole, [...new Set(sessions.map(({ sessionId }) => sessionId))])
  const placeOf = new Map(places.map((place) => [place.id, place]))
  const names = await readNames(whole, childrenIn(sessions))
  const calendar = ical({
    name: tenant.name,
    prodId: { company: 'Institute', product: 'Institute', language: locale.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const session of sessions) {
    const place = placeOf.get(session.sessionId)
    // It was deleted since.
    if (!place) continue
    const { relation, studentId, groupName, courseName } = session
    const child = relation === 'guardian' && studentId ? names.get(studentId) : undefined
    const isCancelled = session.status === 'cancelled'
    const title = child === undefined ? groupName : `${child} · ${groupName}`
    calendar.createEvent({
      id: `${[session.sessionId, relation, studentId ?? []].flat().join('.')}@institute`,
      stamp: place.updated_at,
      lastModified: place.updated_at,
      start: session.scheduledStart,
      end: session.scheduledEnd,
      summary: isCancelled ? `${WORDS[locale].cancelled}: ${title}` : title,
      location: [place.room ?? [], place.branchName].flat().join(', '),
      description: [courseName, place.topic ?? []].flat().join('\n'),
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
  }
  const body = calendar.toString()
  return {
    type: CALENDAR_TYPE,
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
    headers: { 'Cache-Control': 'private, no-cache' },
  }
}
