import { answer, api, type Query, type Schemas } from '../../api/client.ts'

export const readLead = (id: string, signal?: AbortSignal): Promise<Schemas['Lead']> =>
  answer(api.GET('/leads/{id}', { params: { path: { id } }, signal }))

export const readLeads = (query: Query<'/leads'>, signal?: AbortSignal): Promise<Schemas['LeadPage']> =>
  answer(api.GET('/leads', { params: { query }, signal }))
