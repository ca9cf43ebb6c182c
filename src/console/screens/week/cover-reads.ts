import { addDays } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { useChange, useGet } from '../../api/queries.ts'

/** Days on which one teacher stands in for another. */
export interface Part {
  substituteStaffId: string
  from: string
  to: string
}

/** A lesson of the absent teacher, with what else whoever would give it has then. */
export type PlannedLesson = Schemas['CoveredSession']

/** Which teachers stand in for others on some days. */
export const useCovers = (dates: readonly string[]) => {
  const query = { from: dates[0] ?? '', to: dates.at(-1) ?? '', limit: 100 }
  return useGet(['/covers', query], (signal) => answer(api.GET('/covers', { params: { query }, signal })), {
    keepsFormer: true,
  })
}

/**
 * The days of an absence, joined where one stands in on days that follow one another.
 * @param of who stands in on a day
 */
export const partsOf = (from: string, to: string, of: (day: string) => string): Part[] => {
  const parts: Part[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const last = parts.at(-1)
    const substituteStaffId = of(day)
    if (last?.substituteStaffId === substituteStaffId) last.to = day
    else parts.push({ substituteStaffId, from: day, to: day })
  }
  return parts
}

const plan = (staffId: string, body: Schemas['NewCover'], signal: AbortSignal) =>
  answer(
    api.POST('/staff/{id}/cover', {
      params: { path: { id: staffId }, header: NO_INTENT },
      body: { ...body, dryRun: true },
      signal,
    }),
  )

/** The lessons of an absent teacher, and what they would clash with, by the beginning. @param asked undefined: nobody is chosen yet */
export const usePlanned = (asked: { staffId: string; parts: readonly Part[] } | undefined) =>
  useGet(
    ['/covers', 'planned', asked],
    async (signal): Promise<PlannedLesson[]> => {
      const plans = await Promise.all((asked?.parts ?? []).map((part) => plan(asked?.staffId ?? '', part, signal)))
      return plans.flatMap(({ sessions }) => sessions)
    },
    { isOff: asked === undefined, keepsFormer: true },
  )

/** Plans one part of a cover. */
export const usePlan = () =>
  useChange('session', ({ staffId, ...body }: Schemas['NewCover'] & { staffId: string }, header) =>
    answer(api.POST('/staff/{id}/cover', { params: { path: { id: staffId }, header }, body })),
  )

export const useUndo = () =>
  useChange('session', (id: string) => answer(api.DELETE('/covers/{id}', { params: { path: { id } } })))
