import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Overview = Schemas['TenantOverview']

export const useOverview = (id: string) =>
  useGet(['/platform/tenants', id], (signal) =>
    answer(api.GET('/platform/tenants/{id}', { params: { path: { id } }, signal })),
  )
