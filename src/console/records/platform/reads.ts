import { answer, api, type Schemas } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'
import type { RecordSource } from '../../parts/record-choice.tsx'

export type Plan = Schemas['Plan']
export type Subscription = Schemas['Subscription']

const MOST = 100

/** Whether the period of a subscription has ended. */
export const isOver = ({ currentPeriodEnd }: Pick<Subscription, 'currentPeriodEnd'>): boolean =>
  Date.parse(currentPeriodEnd) <= Date.now()

/** All plans, the closed ones too: they are few. */
export const usePlans = () =>
  useGet(['/platform/plans'], (signal) =>
    readAll((cursor) =>
      answer(api.GET('/platform/plans', { params: { query: { limit: MOST, ...(cursor && { cursor }) } }, signal })),
    ),
  )

const slicesOf = (ids: readonly string[]): string[][] =>
  ids.length === 0 ? [] : [ids.slice(0, MOST), ...slicesOf(ids.slice(MOST))]

/** What the institutes are called that the rows of a list name: read at once, and never one for each row. */
export const useInstituteNames = (rows: readonly { tenantId: string | null }[] | undefined) => {
  const ids = [...new Set(rows?.flatMap(({ tenantId }) => tenantId ?? []))].toSorted()
  const { data } = useGet(
    ['/platform/tenants', 'names', ids],
    async (signal) => {
      const pages = await Promise.all(
        slicesOf(ids).map((id) =>
          answer(api.GET('/platform/tenants', { params: { query: { id, limit: MOST } }, signal })),
        ),
      )
      return new Map(pages.flatMap((page) => page.data.map((one) => [one.id, one.name] as const)))
    },
    { isOff: ids.length === 0, keepsFormer: true },
  )
  return (id: string | null): string => (id === null ? '' : (data?.get(id) ?? '…'))
}

type Entry = Pick<Schemas['AuditEntry'], 'actorType' | 'actorUserId' | 'entityType' | 'entityId'>

/** The account that did it: whoever signs in is known once they have. */
const accountOf = ({ actorType, actorUserId, entityType, entityId }: Entry): string | null =>
  actorType === 'public' && entityType === 'user' ? entityId : actorUserId

/** What the accounts are called that did what the rows of a log say. */
export const useUserNames = (rows: readonly Entry[] | undefined) => {
  const ids = [...new Set(rows?.flatMap((entry) => accountOf(entry) ?? []))].toSorted()
  const { data } = useGet(
    ['/platform/users', 'names', ids],
    async (signal) => {
      const pages = await Promise.all(
        slicesOf(ids).map((id) =>
          answer(api.GET('/platform/users', { params: { query: { id, limit: MOST } }, signal })),
        ),
      )
      return new Map(pages.flatMap((page) => page.data.map((one) => [one.id, one.fullName || one.email] as const)))
    },
    { isOff: ids.length === 0, keepsFormer: true },
  )
  return (entry: Entry): string | undefined => data?.get(accountOf(entry) ?? '')
}

/** Any of the institutes, found as one types. */
export const ANY_INSTITUTE: RecordSource<Schemas['ListedTenant']> = {
  key: ['/platform/tenants', 'choice'],
  read: (q, signal) =>
    answer(api.GET('/platform/tenants', { params: { query: { limit: 25, ...(q !== '' && { q }) } }, signal })),
  optionOf: ({ id, name, slug }) => ({ id, label: name, about: slug }),
}
