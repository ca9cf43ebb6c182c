import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'

export const readGroup = (id: string, signal?: AbortSignal): Promise<Schemas['Group']> =>
  answer(api.GET('/groups/{id}', { params: { path: { id } }, signal }))

/** @param id undefined: none */
export const useGroup = (id: string | undefined) =>
  useGet(['/groups', id], (signal) => readGroup(id ?? '', signal), { isOff: id === undefined })

export const readGroups = (query: Query<'/groups'>, signal?: AbortSignal): Promise<Schemas['GroupPage']> =>
  answer(api.GET('/groups', { params: { query }, signal }))

/** @param query with how many a page has */
export const useGroupPages = (query: Query<'/groups'>) =>
  usePages(['/groups', 'list', query], (cursor, signal) => readGroups({ ...query, cursor }, signal))

/** The weekly times of a group, with those of before and of later. */
export const useScheduleRules = (id: string) =>
  useGet(['/groups', id, 'schedules'], (signal) =>
    answer(api.GET('/groups/{id}/schedules', { params: { path: { id } }, signal })),
  )
