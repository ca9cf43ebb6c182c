import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'

/** What is kept of the caller and of their children, and what they proposed to change. */
export const useOwnDetails = () => useGet(['/me/details'], (signal) => answer(api.GET('/me/details', { signal })))

/** What families propose, the oldest first. */
export const useProposals = (branchId: string | null) =>
  usePages<Schemas['ProposedChange']>(['/proposed-changes', branchId], (cursor, signal) => {
    const query = { limit: 25, ...(branchId && { branchId }), ...(cursor && { cursor }) }
    return answer(api.GET('/proposed-changes', { params: { query }, signal }))
  })
