import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Webhook = Schemas['WebhookEndpoint']
export type Delivery = Schemas['WebhookDelivery']

const readWebhook = (id: string, signal?: AbortSignal): Promise<Webhook> =>
  answer(api.GET('/webhooks/{id}', { params: { path: { id } }, ...(signal && { signal }) }))

export const useWebhook = (id: string) => useGet(['/webhooks', id], (signal) => readWebhook(id, signal))
