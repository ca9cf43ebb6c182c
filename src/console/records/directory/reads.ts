import { answer, api, type Query } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'

/** Students by name, with what stands beside them in the list. */
export const useStudentDirectory = (query: Query<'/directory/students'>) =>
  usePages(['/directory/students', query], (cursor, signal) =>
    answer(api.GET('/directory/students', { params: { query: { ...query, cursor } }, signal })),
  )

/** Guardians by name, with what stands beside them in the list. */
export const useGuardianDirectory = (query: Query<'/directory/guardians'>) =>
  usePages(['/directory/guardians', query], (cursor, signal) =>
    answer(api.GET('/directory/guardians', { params: { query: { ...query, cursor } }, signal })),
  )
