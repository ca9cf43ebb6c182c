import { answer, api, type Query, type Schemas } from '../../api/client.ts'

/** Those who may sign in. */
export const readMembers = (query: Query<'/members'>, signal?: AbortSignal): Promise<Schemas['MemberPage']> =>
  answer(api.GET('/members', { params: { query }, signal }))
