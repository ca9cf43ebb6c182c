import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { useChange, useGet } from '../../api/queries.ts'

/** Who stands in for an absent teacher, and when. */
type Asked = Pick<Schemas['NewCover'], 'substituteStaffId' | 'from' | 'to' | 'others'> & { staffId: string }

/** A lesson of the absent teacher, with what else whoever would give it has then. */
export type PlannedLesson = Schemas['CoveredSession']

/** Which teachers stand in for others on some days. */
export const useCovers = (dates: readonly string[]) => {
  const query = { from: dates[0] ?? '', to: dates.at(-1) ?? '', limit: 100 }
  return useGet(['/covers', query], (signal) => answer(api.GET('/covers', { params: { query }, signal })), {
    keepsFormer: true,
  })
}

/** The lessons of an absent teacher, and what they would clash with, by the beginning. @param asked undefined: nobody is chosen yet */
export const usePlanned = (asked: Asked | undefined) =>
  useGet(
    ['/covers', 'planned', asked],
    async (signal): Promise<PlannedLesson[]> => {
      const { staffId, ...body } = asked as Asked
      const params = { path: { id: staffId }, header: NO_INTENT }
      return (await answer(api.POST('/staff/{id}/cover', { params, body: { ...body, dryRun: true }, signal }))).sessions
    },
    { isOff: asked === undefined, keepsFormer: true },
  )

/** Plans a cover, in one change. */
export const usePlan = () =>
  useChange('session', ({ staffId, ...body }: Schemas['NewCover'] & { staffId: string }, header) =>
    answer(api.POST('/staff/{id}/cover', { params: { path: { id: staffId }, header }, body })),
  )

export const useUndo = () =>
  useChange('session', (id: string) => answer(api.DELETE('/covers/{id}', { params: { path: { id } } })))
