import { answer, api, type Schemas } from '../../api/client.ts'

/** With an address from which it can be had now. */
export const readFile = (id: string, signal?: AbortSignal): Promise<Schemas['File']> =>
  answer(api.GET('/files/{id}', { params: { path: { id } }, signal }))
