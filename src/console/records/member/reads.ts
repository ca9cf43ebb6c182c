import type { UseQueryResult } from '@tanstack/react-query'
import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'

/** Those who may sign in. */
export const readMembers = (query: Query<'/members'>, signal?: AbortSignal): Promise<Schemas['MemberPage']> =>
  answer(api.GET('/members', { params: { query }, signal }))

/** As many as a page of a list has. */
const MOST = 100

/** All who work here, for those who may know. Families are many. */
export const useWorkers = (isOff: boolean): UseQueryResult<Schemas['Member'][]> =>
  useGet(
    ['/members', 'work'],
    (signal) => readAll((cursor) => readMembers({ isFamily: false, limit: MOST, cursor }, signal)),
    { isOff },
  )
