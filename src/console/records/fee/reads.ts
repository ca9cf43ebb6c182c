import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

/** The fees that are charged now. */
export const useFees = (isOff = false) =>
  useGet(
    ['/fee-schedules', 'active'],
    async (signal) =>
      (await answer(api.GET('/fee-schedules', { params: { query: { isActive: true, limit: 100 } }, signal }))).data,
    { isOff },
  )
