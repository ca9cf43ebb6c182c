import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'

export type Channel = Schemas['NotificationChannel']
export type Logged = Schemas['NotificationLogEntry']
export type Template = Schemas['NotificationTemplate']

export const CHANNELS = ['in_app', 'email', 'push', 'sms', 'whatsapp'] as const satisfies readonly Channel[]

/** What went out, the newest first. */
export const useLog = (query: Query<'/notifications'>) =>
  usePages<Logged>(['/notifications', 'log', query], (cursor, signal) =>
    answer(api.GET('/notifications', { params: { query: { ...query, limit: 50, cursor } }, signal })),
  )

/** One message, with what became of each attempt. */
export const useMessage = (id: string) =>
  useGet(['/notifications', id], (signal) =>
    answer(api.GET('/notifications/{id}', { params: { path: { id } }, signal })),
  )

/** How many messages this month has, against the plan. */
export const useUsage = (isOff: boolean) =>
  useGet(['/notifications/usage'], (signal) => answer(api.GET('/notifications/usage', { signal })), { isOff })
