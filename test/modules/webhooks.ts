import { inTurn, text } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {
    webhook_endpoint: { few: 'a handful' },
    webhook_delivery: async ({ nthId, uuid, record }) => ({
      endpoint_id: uuid(text(await record('webhookEndpointId'))),
      event_id: nthId('event', 'n'),
      event_type: text('student.created'),
      status: inTurn(['delivered', 'failed']),
      attempts: '1',
      generation: '1',
    }),
  },
  records: {
    webhookEndpointId: async ({ owner }) =>
      (await owner.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['student.created'] })).body.id,
  },
  filters: { 'webhooks.deliveries': { status: 'failed' } },
}
