import { useState } from 'react'
import { addDays } from '../../../shared/dates.ts'
import type { Schemas } from '../../api/client.ts'
import { queryClient, useGet } from '../../api/queries.ts'
import { readSessions, type Session } from '../../records/session/reads.ts'
import { useFormat } from '../../words/language.tsx'

/** What the head of the page says of a session. */
export interface About {
  groupName: string
  scheduledStart: string
  scheduledEnd: string
  room?: string | null
  teacherName?: string | null
}

/** A session that a page before has listed. */
const alreadyRead = (id: string): About | undefined => {
  const days = queryClient.getQueriesData<Schemas['TeachingDay']>({ queryKey: ['/me/teaching'] })
  const taught = days
    .flatMap(([, day]) => [...(day?.sessions ?? []), ...(day?.unmarkedBacklog ?? [])])
    .find(({ sessionId }) => sessionId === id)
  if (taught) return taught
  const lists = queryClient.getQueriesData<readonly Schemas['TimetableSession'][]>({ queryKey: ['/sessions', 'list'] })
  return lists.flatMap(([, sessions]) => sessions ?? []).find((session) => session.id === id)
}

const DAYS_BEFORE = 21
const DAYS_AFTER = 14

/** The lessons of a group around one of them, in order of time, as far as they are not cancelled; and that one. */
export interface Around {
  session: Session
  last: Session | undefined
  next: Session | undefined
  /** Lessons before the last one whose homework is due on the day of this one. */
  due: readonly Session[]
}

const aroundOf = (lessons: readonly Session[], sessionId: string, day: string): Around | undefined => {
  const session = lessons.find(({ id }) => id === sessionId)
  if (!session) return undefined
  const others = lessons.filter(({ status, id }) => status !== 'cancelled' && id !== sessionId)
  const before = others.filter(({ scheduledStart }) => scheduledStart < session.scheduledStart)
  return {
    session,
    last: before.at(-1),
    next: others.find(({ scheduledStart }) => scheduledStart > session.scheduledStart),
    due: before.slice(0, -1).filter(({ homework }) => homework?.dueOn === day),
  }
}

/** A lesson with what is written on it, and what those around it were. */
export const useAround = (roster: Schemas['Roster'] | undefined) => {
  const format = useFormat()
  const day = roster && format.dateOf(roster.scheduledStart)
  const { groupId = '', sessionId = '' } = roster ?? {}
  const lessons = useGet(
    ['/sessions', 'around', groupId, day],
    async (signal) => {
      const query = { groupId, from: addDays(day as string, -DAYS_BEFORE), to: addDays(day as string, DAYS_AFTER) }
      return (await readSessions({ ...query, limit: 100 }, signal)).data
    },
    { isOff: roster === undefined, everyMillis: 60_000 },
  )
  return lessons.data && aroundOf(lessons.data, sessionId, day as string)
}

/** What the session is called: from the page before, else read. */
export const useAbout = (id: string, around: Around | undefined): About | undefined => {
  const [known] = useState(() => alreadyRead(id))
  return known ?? around?.session
}
