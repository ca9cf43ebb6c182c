import { answer, api } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'

/** All fees that are charged now. */
export const useFees = (isOff = false) =>
  useGet(
    ['/fee-schedules', 'active'],
    (signal) =>
      readAll((cursor) =>
        answer(api.GET('/fee-schedules', { params: { query: { isActive: true, limit: 100, cursor } }, signal })),
      ),
    { isOff },
  )
