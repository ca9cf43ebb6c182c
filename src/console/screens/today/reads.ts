import { useEffect } from 'react'
import { answer, api } from '../../api/client.ts'
import { rosterKey } from '../../api/intents/marks.ts'
import { queryClient, readAll, useGet } from '../../api/queries.ts'
import { useFormat } from '../../words/language.tsx'
import { readRoster, readTimetable } from '../../records/session/reads.ts'
import { useLoadAhead } from '../../shell/ahead.ts'

const EVERY_MINUTE = { everyMillis: 60_000 }

/** What needs somebody, as far as the caller may see it. */
export const useAttention = () => {
  const today = useFormat().today()
  return useGet(
    ['/dashboard', 'attention', today],
    (signal) => answer(api.GET('/dashboard/attention', { signal })),
    EVERY_MINUTE,
  )
}

/** All sessions of today: a large institute has more than one page of them. */
export const useDay = (branchId: string | null, { isOff = false } = {}) => {
  const today = useFormat().today()
  return useGet(
    ['/sessions', 'list', today, branchId],
    (signal) => readTimetable(branchId ? { branchId } : {}, signal),
    { ...EVERY_MINUTE, isOff },
  )
}

const MOST_ABSENT = 100

/** Who does not come today, as it was announced. */
export const useAbsent = (branchId: string | null, { isOff = false } = {}) => {
  const today = useFormat().today()
  const query = { from: today, to: today, limit: MOST_ABSENT, ...(branchId && { branchId }) }
  return useGet(['/absences', query], (signal) => answer(api.GET('/absences', { params: { query }, signal })), {
    ...EVERY_MINUTE,
    isOff,
  })
}

/** Who was marked absent today, of all lessons. */
export const useMarkedAbsent = (branchId: string | null) => {
  const today = useFormat().today()
  return useGet(
    ['/dashboard', 'absent', today, branchId],
    (signal) =>
      readAll((cursor) => {
        const query = { limit: MOST_ABSENT, ...(cursor && { cursor }), ...(branchId && { branchId }) }
        return answer(api.GET('/dashboard/absent', { params: { query }, signal }))
      }),
    EVERY_MINUTE,
  )
}

const MOST_WALK_INS = 50

/** Who came without being enrolled, and of whom nobody has decided. */
export const useWalkIns = (branchId: string | null) => {
  const query = { limit: MOST_WALK_INS, ...(branchId && { branchId }) }
  return useGet(
    ['/walk-ins', query],
    (signal) => answer(api.GET('/walk-ins', { params: { query }, signal })),
    EVERY_MINUTE,
  )
}

/** Reads a class before somebody opens it: it is there at once, also where the network goes on the way to it. */
export const useReadAhead = (sessionId: string): void => {
  const loadAhead = useLoadAhead()
  useEffect(() => {
    const roster = queryClient.prefetchQuery({
      queryKey: rosterKey(sessionId),
      queryFn: ({ signal }) => readRoster(sessionId, signal),
      networkMode: 'always',
    })
    void roster.then(() => loadAhead('/sessions/:id'))
  }, [sessionId, loadAhead])
}
