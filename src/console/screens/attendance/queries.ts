import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { rosterKey } from '../../api/intents/marks.ts'
import { queryClient, useGet } from '../../api/queries.ts'
import { useFormat } from '../../shell/language.tsx'

/** What the head of the page says of a session. */
export interface About {
  groupName: string
  scheduledStart: string
  scheduledEnd: string
  room?: string | null
  teacherName?: string | null
}

export const readRoster = (id: string, signal?: AbortSignal): Promise<Schemas['Roster']> =>
  answer(api.GET('/sessions/{id}/attendance', { params: { path: { id } }, signal }))

export const useRoster = (id: string) =>
  useGet(rosterKey(id), (signal) => readRoster(id, signal), { everyMillis: 60_000 })

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
  const query = { groupId, from: date, to: date, limit: 100 }
  const { data } = await answer(api.GET('/sessions', { params: { query }, signal }))
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
