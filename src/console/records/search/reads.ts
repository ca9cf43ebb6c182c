import { answer, api, type Query, type Schemas } from '../../api/client.ts'

/** What has a name or a number like this, of each kind that the caller may see. */
export const readSearch = (query: Query<'/search'>, signal?: AbortSignal): Promise<Schemas['SearchResults']> =>
  answer(api.GET('/search', { params: { query }, signal }))
