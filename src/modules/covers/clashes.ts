import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { taughtSessionIds } from '#modules/sessions/index.ts'
import type { CoverClash } from './schemas.ts'

interface Lesson {
  id: string
  scheduled_start: string
  scheduled_end: string
}

/** A lesson that began so much earlier has ended: schedules make none that crosses a day, and few last longer. */
const LOOKS_BACK_MILLIS = 2 * 86_400_000

/** What somebody gives in the time of these lessons, in order of time. The names of groups out of reach are left out. */
const lessonsMeanwhile = async ({ db, whole }: Tx, staffId: string, lessons: readonly Lesson[]) => {
  const starts = lessons.map((lesson) => lesson.scheduled_start).toSorted()
  const ends = lessons.map((lesson) => lesson.scheduled_end).toSorted()
  const since = new Date(Date.parse(starts[0] as string) - LOOKS_BACK_MILLIS).toISOString()
  const taught = taughtSessionIds(whole, staffId, (sessions) =>
    sessions.where('session.scheduled_start', '>=', since).where('session.scheduled_start', '<', ends.at(-1) as string),
  )
  const given = await whole
    .selectFrom('session')
    .select(['id', 'group_id', 'scheduled_start', 'scheduled_end'])
    .where('id', 'in', taught)
    .where('status', '!=', 'cancelled')
    .orderBy('scheduled_start')
    .orderBy('id')
    .execute()
  if (given.length === 0) return []
  const groupIds = [...new Set(given.map((session) => session.group_id))]
  const groups = await db.selectFrom('group').select(['id', 'name']).where('id', 'in', groupIds).execute()
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]))
  return given.map((session) => ({ ...session, groupName: nameOf.get(session.group_id) ?? null }))
}

const absencesOf = ({ whole }: Tx, staffId: string, { from, to }: { from: string; to: string }) =>
  whole
    .selectFrom('cover')
    .select(['from_date', 'to_date'])
    .where('staff_id', '=', staffId)
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .execute()

/** What each of the lessons would clash with, were it given by somebody who does not give it yet. */
export const clashesOf = async (
  tx: Tx,
  substituteId: string,
  lessons: readonly Lesson[],
): Promise<(lesson: Lesson) => CoverClash[]> => {
  if (lessons.length === 0) return () => []
  const dayOf = (lesson: Lesson): string => localDate(lesson.scheduled_start, tx.tenant.timezone)
  const days = lessons.map(dayOf).toSorted()
  const given = await lessonsMeanwhile(tx, substituteId, lessons)
  const absences = await absencesOf(tx, substituteId, { from: days[0] as string, to: days.at(-1) as string })
  return (lesson) => {
    const day = dayOf(lesson)
    const isAbsent = absences.some((one) => one.from_date <= day && day <= one.to_date)
    return [
      ...given
        .filter(
          (one) =>
            one.id !== lesson.id &&
            one.scheduled_start < lesson.scheduled_end &&
            one.scheduled_end > lesson.scheduled_start,
        )
        .map(({ groupName, scheduled_start: scheduledStart, scheduled_end: scheduledEnd }) => ({
          kind: 'lesson' as const,
          groupName,
          scheduledStart,
          scheduledEnd,
        })),
      ...(isAbsent ? [{ kind: 'absence' as const, groupName: null, scheduledStart: null, scheduledEnd: null }] : []),
    ]
  }
}
