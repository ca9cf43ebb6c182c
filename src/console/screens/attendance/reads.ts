import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { queryClient, useGet } from '../../api/queries.ts'
import { readSessions } from '../../records/session/reads.ts'
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

const readAbout = async ({ groupId, sessionId }: Schemas['Roster'], date: string, signal: AbortSignal) => {
  const { data } = await readSessions({ groupId, from: date, to: date, limit: 100 }, signal)
  return data.find(({ id }) => id === sessionId) ?? null
}

/** What the session is called: from the page before, else read. */
export const useAbout = (id: string, roster: Schemas['Roster'] | undefined): About | undefined => {
  const format = useFormat()
  const [known] = useState(() => alreadyRead(id))
  const read = useGet(
    ['/sessions', id, 'about'],
    (signal) =>
      readAbout(roster as Schemas['Roster'], format.dateOf((roster as Schemas['Roster']).scheduledStart), signal),
    { isOff: known !== undefined || roster === undefined },
  )
  return known ?? read.data ?? undefined
}
