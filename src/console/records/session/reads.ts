import { addDays } from '../../../shared/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { rosterKey } from '../../api/intents/marks.ts'
import { useGet } from '../../api/queries.ts'
import { useFormat } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'

export type Session = Schemas['TimetableSession']

const PAGE = 100
/** What a week shows at the most: more would neither be read fast nor be readable. */
export const MOST_SESSIONS = 400

/** A page of the sessions of a time; without `from` and `to`, of today. Both are local days, and inclusive. */
export const readSessions = (
  query: Query<'/sessions'>,
  signal?: AbortSignal,
): Promise<Schemas['TimetableSessionPage']> => answer(api.GET('/sessions', { params: { query }, signal }))

/** All sessions of a time, page by page. @param most where to stop; default: at the end */
export const readTimetable = async (
  query: Omit<Query<'/sessions'>, 'cursor' | 'limit'>,
  signal: AbortSignal | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<Session[]> => {
  const sessions: Session[] = []
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next begins
    const { data, nextCursor } = await readSessions({ ...query, limit: PAGE, cursor }, signal)
    sessions.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined && sessions.length < most)
  return sessions
}

export interface WeekFilters {
  teacher?: string | undefined
  room?: string
  group?: string
}

const EVERY_MINUTE = { everyMillis: 60_000 }

/** The sessions of a week, with those that began on the evening before it. */
export const useWeek = (
  dates: readonly string[],
  { teacher, room, group }: WeekFilters,
  branchId: string | null,
  { isOff = false } = {},
) => {
  const query = {
    from: addDays(dates[0] ?? '', -1),
    to: dates.at(-1) ?? '',
    ...(teacher && { teacherStaffId: teacher }),
    ...(room && { room }),
    ...(group && { groupId: group }),
    ...(branchId && { branchId }),
  }
  return useGet(['/sessions', 'list', 'week', query], (signal) => readTimetable(query, signal, MOST_SESSIONS), {
    ...EVERY_MINUTE,
    isOff,
    keepsFormer: true,
  })
}

export type Clash = Schemas['ScheduleConflict']

/** Which sessions of a week need the same teacher, room or students at the same time, by their ids. */
export const useClashes = (dates: readonly string[]) => {
  const { zone } = useFormat()
  const query = {
    from: instantOf(dates[0] ?? '', '00:00', zone),
    to: instantOf(addDays(dates.at(-1) ?? '', 1), '00:00', zone),
    limit: PAGE,
  }
  return useGet(
    ['/schedule-conflicts', query],
    async (signal) => (await answer(api.GET('/schedule-conflicts', { params: { query }, signal }))).data,
    { ...EVERY_MINUTE, keepsFormer: true },
  )
}

export const bySession = (clashes: readonly Clash[]): ReadonlyMap<string, readonly Clash[]> => {
  const found = new Map<string, Clash[]>()
  for (const clash of clashes)
    for (const id of [clash.sessionId, clash.otherSessionId]) found.set(id, [...(found.get(id) ?? []), clash])
  return found
}

interface Plan {
  /** Undefined: who gives it, or where, is not known, and nothing can clash with it. */
  teacherStaffId?: string
  room?: string
  branchId: string
  /** In order of time; at most eight weeks. */
  times: readonly { start: string; end: string }[]
  /** Those that are planned anew: they do not clash with themselves. */
  own: { sessionId?: string; groupId?: string }
}

/** What a lesson would clash with, were it at another time or with another teacher. */
export interface Foreseen {
  kind: 'teacher' | 'room'
  session: Session
}

/** What else the teacher and the room have at some times, in one request for each. */
export const useForeseen = (plan: Plan | undefined) => {
  const format = useFormat()
  return useGet(
    ['/sessions', 'foreseen', plan],
    async (signal): Promise<Foreseen[]> => {
      const [first, last] = [plan?.times[0], plan?.times.at(-1)]
      if (!plan || !first || !last) return []
      const { teacherStaffId, room, branchId, times, own } = plan
      // One that began on the evening before may last until then.
      const days = { from: addDays(format.dateOf(first.start), -1), to: format.dateOf(last.end) }
      const [ofTeacher, ofRoom] = await Promise.all([
        teacherStaffId === undefined ? [] : readTimetable({ ...days, teacherStaffId }, signal),
        room === undefined ? [] : readTimetable({ ...days, room, branchId }, signal),
      ])
      const isOther = (session: Session): boolean =>
        session.status !== 'cancelled' && session.id !== own.sessionId && session.groupId !== own.groupId
      const isMeanwhile = ({ scheduledStart, scheduledEnd }: Session): boolean =>
        times.some(({ start, end }) => scheduledStart < end && scheduledEnd > start)
      const among = (kind: Foreseen['kind'], sessions: readonly Session[]): Foreseen[] =>
        sessions.filter((session) => isOther(session) && isMeanwhile(session)).map((session) => ({ kind, session }))
      return [...among('teacher', ofTeacher), ...among('room', ofRoom)]
    },
    { isOff: plan === undefined, keepsFormer: true },
  )
}

const AHEAD_DAYS = 14

/** The query of the lessons of a group from today on, cancelled ones left out. */
export const comingLessons = (groupId: string, today: string) => ({
  queryKey: ['/sessions', 'coming', groupId] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Session[]> =>
    (
      await readSessions(
        { groupId, from: today, to: addDays(today, AHEAD_DAYS), status: ['scheduled', 'held'], limit: 10 },
        signal,
      )
    ).data,
})

export const useComingLessons = (groupId: string) => useQuery(comingLessons(groupId, useFormat().today()))

/** What the caller teaches today, and what they have not marked. A page that stood open over night begins anew. */
export const useTeaching = ({ isOff = false } = {}) => {
  const today = useFormat().today()
  return useGet(['/me/teaching', today], (signal) => answer(api.GET('/me/teaching/today', { signal })), {
    ...EVERY_MINUTE,
    isOff,
  })
}

export const readRoster = (id: string, signal?: AbortSignal): Promise<Schemas['Roster']> =>
  answer(api.GET('/sessions/{id}/attendance', { params: { path: { id } }, signal }))

export const useRoster = (id: string) => useGet(rosterKey(id), (signal) => readRoster(id, signal), EVERY_MINUTE)
