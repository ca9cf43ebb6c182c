import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

const MOST = 100

/** The browsers that get the person's messages at once. */
export const useDevices = () =>
  useGet(['/me/devices'], (signal) => answer(api.GET('/me/devices', { params: { query: { limit: MOST } }, signal })))
