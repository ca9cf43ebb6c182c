import { answer, api } from '../api/client.ts'
import { useGet } from '../api/queries.ts'

/** The branches that the caller may see, those that are closed among them. */
export const useBranches = (isOff = false) =>
  useGet(['/branches'], (signal) => answer(api.GET('/branches', { signal })), { isOff })
