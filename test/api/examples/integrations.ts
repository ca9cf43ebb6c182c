import type { Examples, World } from '#kit/examples.ts'

/** Nothing listens there, so a delivery fails at once. */
const DEAD_URL = 'http://127.0.0.1:9/hook'

export const newApiKey = async ({ owner }: Pick<World, 'owner'>, more: object = {}) =>
  (await owner.post('/api-keys', { name: 'Website', ...more })).body

export const newWebhook = async ({ owner }: Pick<World, 'owner'>, more: object = {}) =>
  (await owner.post('/webhooks', { url: DEAD_URL, events: ['student.created'], ...more })).body

const newDelivery = async (world: World) => {
  const endpoint = await newWebhook(world)
  await world.owner.post('/students', { branchId: world.branchId, firstName: 'Noor', lastName: 'Haddad' })
  const { body } = await world.owner.get(`/webhooks/${endpoint.id}/deliveries`)
  return { id: endpoint.id as string, deliveryId: body.data[0].id as string }
}

const ofKey = async (world: World) => ({ params: { id: (await newApiKey(world)).id } })
const ofWebhook = async (world: World) => ({ params: { id: (await newWebhook(world)).id } })

export const integrationExamples: Examples = {
  'api-keys.list': async () => ({}),
  'api-keys.create': async () => ({ body: { name: 'Accounting', permissions: ['invoices.read'] } }),
  'api-keys.update': async (world) => ({ ...(await ofKey(world)), body: { rateLimitPerMin: 60 } }),
  'api-keys.revoke': ofKey,
  'webhooks.events': async () => ({}),
  'webhooks.list': async () => ({}),
  'webhooks.create': async () => ({ body: { url: DEAD_URL, events: ['invoice.issued'] } }),
  'webhooks.read': ofWebhook,
  'webhooks.update': async (world) => ({ ...(await ofWebhook(world)), body: { isActive: false } }),
  'webhooks.delete': ofWebhook,
  'webhooks.test': ofWebhook,
  'webhooks.rotate-secret': async (world) => ({ ...(await ofWebhook(world)), body: { overlapSec: 60 } }),
  'webhooks.deliveries': ofWebhook,
  'webhooks.read-delivery': async (world) => ({ params: await newDelivery(world) }),
  'webhooks.replay': async (world) => ({ params: await newDelivery(world) }),
}
