import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Receipt = Schemas['Receipt']

export const useReceipt = (id: string, isOff = false) =>
  useGet(['/receipts', id], (signal) => answer(api.GET('/receipts/{id}', { params: { path: { id } }, signal })), {
    isOff,
  })
