import { change, openRead, read } from '#kernel/contract/endpoint.ts'
import { EVENT_CATALOGUE } from '#kernel/contract/events.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import { Ok, pageOf, pageQuery, shortListQuery } from '#kernel/values/schema.ts'
import type { Outbound, UrlPolicy } from '#ports/outbound/port.ts'
import { pageFrom } from '#runtime/records/cursors.ts'
import { findRow } from '#runtime/records/records.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { listDeliveries, readSending, replayDelivery } from './deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  endpointRecord,
  deleteDeliveries,
  listEndpoints,
  MOST_ENDPOINTS,
  readEndpoint,
  rotateSecret,
  TooManyEndpoints,
} from './endpoints-service.ts'
import {
  CreatedWebhookEndpoint,
  Delivery,
  DeliveryQuery,
  EventInfo,
  NewWebhook,
  Rotated,
  Rotation,
  Sending,
  TestResult,
  WebhookChanges,
  WebhookEndpoint,
} from './schemas.ts'
import { sendTest } from './send-test.ts'
import { WEBHOOK } from './credentials.ts'

export interface WebhookEndpointDeps {
  vault: Vault
  outbound: Outbound
  urlPolicy: UrlPolicy
  /** Reaches the events, which stand outside the institutes. */
  database: { read: Queries }
}

const guard = { access: 'integration.manage', wholeTenant: true } as const

export const webhookEndpoints = ({ vault, outbound, urlPolicy: policy, database }: WebhookEndpointDeps) => [
  openRead({
    id: 'webhooks.events',
    path: '/webhooks/events',
    summary: 'Every event that a webhook can subscribe to, with its fields',
    description: 'All of them, in one page unless `limit` is sent.',
    access: 'anyone',
    query: shortListQuery,
    reply: pageOf(EventInfo),
    handle: async (context) => pageFrom(EVENT_CATALOGUE, ({ type }) => type, context),
  }),
  read({
    ...guard,
    id: 'webhooks.list',
    path: '/webhooks',
    summary: 'List webhook endpoints, newest first',
    query: pageQuery({}),
    reply: pageOf(WebhookEndpoint),
    handle: listEndpoints,
  }),
  change({
    ...guard,
    id: 'webhooks.create',
    method: 'POST',
    path: '/webhooks',
    summary: 'Add a webhook endpoint; its signing secret is shown this once',
    description: `An institute has at most ${MOST_ENDPOINTS}, disabled ones too (409).`,
    body: NewWebhook,
    status: 201,
    reply: CreatedWebhookEndpoint,
    credential: WEBHOOK,
    fails: [TooManyEndpoints],
    handle: ({ tx, body }) => createEndpoint(tx, body, { vault, policy }),
  }),
  read({
    ...guard,
    id: 'webhooks.read',
    path: '/webhooks/{id}',
    summary: 'Read a webhook endpoint',
    reply: WebhookEndpoint,
    handle: ({ db, params, now }) => readEndpoint(db, params.id, now),
  }),
  change({
    ...guard,
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/webhooks/{id}',
    lasting: true,
    summary: 'Change a webhook endpoint',
    description:
      '`isActive: true` enables it again and forgets its failures; `false` disables what is queued for it: a part at once, where it is very much the rest within seconds; none of it is sent.',
    body: WebhookChanges,
    reply: WebhookEndpoint,
    handle: ({ tx, params, body }) => changeEndpoint(tx, params.id, body, policy),
  }),
  change({
    ...guard,
    id: 'webhooks.delete',
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook endpoint and its deliveries',
    description:
      'The deliveries go first, a part at a time: should the server be stopped meanwhile, the endpoint is still there.',
    reply: Ok,
    prepare: ({ tenant, params, begin }) => deleteDeliveries(begin, tenant, params.id),
    handle: ({ tx, params }) => deleteEndpoint(tx, params.id),
  }),
  change({
    ...guard,
    id: 'webhooks.test',
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a signed test request at once',
    description:
      'An event of the type webhook.test, sent once, also to a disabled endpoint. It is not kept as a delivery.',
    reply: TestResult,
    prepare: async ({ db, params, now, tenant }) =>
      sendTest({ vault, outbound }, await findRow(db, endpointRecord, params.id), { now, tenantId: tenant.id }),
    handle: async ({ tx, params, prepared }) => {
      tx.audit({ entityType: 'webhook_endpoint', entityId: params.id, after: prepared })
      return prepared
    },
  }),
  change({
    ...guard,
    id: 'webhooks.rotate-secret',
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    summary: 'Give a webhook endpoint a new signing secret, shown this once',
    description: 'A second rotation within the overlap retires the oldest secret at once.',
    body: Rotation,
    bodyOptional: true,
    reply: Rotated,
    credential: WEBHOOK,
    handle: ({ tx, params, body }) => rotateSecret(tx, params.id, body.overlapSec, vault),
  }),
  read({
    ...guard,
    id: 'webhooks.deliveries',
    path: '/webhooks/{id}/deliveries',
    summary: 'List the deliveries of a webhook endpoint, newest first',
    query: DeliveryQuery,
    reply: pageOf(Delivery),
    handle: listDeliveries,
  }),
  read({
    ...guard,
    id: 'webhooks.read-delivery',
    path: '/webhooks/{id}/deliveries/{deliveryId}',
    summary: 'Read what is sent of a delivery',
    description: 'The text, as it is signed, and the headers. No secret, and no signature, is among them.',
    reply: Sending,
    handle: ({ db, params }) => readSending({ db, events: database.read }, params.id, params.deliveryId),
  }),
  change({
    ...guard,
    id: 'webhooks.replay',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
    summary: 'Send a past delivery again',
    description: 'At a disabled endpoint it is tried once; failing there it is disabled again.',
    reply: Delivery,
    handle: ({ tx, params }) => replayDelivery(tx, params.id, params.deliveryId),
  }),
]
