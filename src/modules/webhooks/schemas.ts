import * as v from 'valibot'
import { EVENT_CATALOGUE, type EventType } from '#kernel/contract/events.ts'
import { named } from '#kernel/values/named.ts'
import { count, id, integer, line, list, orNull, pageQuery, ts } from '#kernel/values/schema.ts'

const words = {
  url: 'Where deliveries are sent with POST.',
  isActive: 'Whether deliveries are sent.',
  failureCount: 'Deliveries in a row that failed at every attempt. At 20 the endpoint is disabled.',
  disabledAt: 'When it was disabled after failures; null: it was not.',
  secret: 'The signing secret: `whsec_` and 32 bytes in base64 (those of before in base64url). It is shown this once.',
  overlapSec: 'Seconds for which the secret before signs too.',
  statusCode: 'The HTTP status of the answer; null: there was none.',
  ok: 'Whether the answer was a 2xx.',
  durationMs: 'Milliseconds until the answer.',
  error: 'Why there was no answer; null: there was one.',
  eventType: 'The type of the event.',
  attempts: 'How often it was tried.',
  lastStatusCode: 'The HTTP status of the last answer; null: there was none.',
  responseExcerpt: 'How the last answer began; null: there was none.',
  nextAttemptAt: 'When it is tried again; null: it is not.',
  deliveredAt: 'When it arrived; null: it has not.',
  status: 'How the delivery stands.',
  description: 'When it is sent.',
  fields: 'The fields of its `data`.',
}

const TYPES = EVENT_CATALOGUE.map(({ type }) => type) as [EventType, ...EventType[]]

const eventType = named('EventType', v.picklist(TYPES, 'Must be a type that GET /webhooks/events lists.'))

/** Without duplicates, in the order of the event catalogue. */
const events = v.pipe(
  v.array(eventType),
  v.minLength(1, 'Must name at least one type.'),
  v.maxLength(100, 'Must name at most 100 types.'),
  v.transform((given) => TYPES.filter((type) => given.includes(type))),
)

/** The service checks where it leads, because the rules depend on the deployment. */
const url = line(2000)

export const WebhookEndpoint = named(
  'WebhookEndpoint',
  v.object({
    id,
    url: v.string(),
    events: list(eventType),
    isActive: v.boolean(),
    failureCount: count,
    disabledAt: orNull(ts),
    previousSecretExpiresAt: orNull(ts),
    createdAt: ts,
  }),
  words,
)
export type WebhookEndpoint = v.InferOutput<typeof WebhookEndpoint>

/** The only reply that contains the signing secret. */
export const CreatedWebhookEndpoint = named(
  'CreatedWebhookEndpoint',
  v.object({ ...WebhookEndpoint.entries, secret: v.string() }),
  words,
)

const writable = v.object({ url, events, isActive: v.boolean() })

export const NewWebhook = named(
  'NewWebhookEndpoint',
  v.object({ ...writable.entries, isActive: v.optional(v.boolean(), true) }),
  words,
)
export const WebhookChanges = named('WebhookEndpointChanges', v.partial(writable), words)

const DAY_SECONDS = 24 * 3600

export const Rotation = named(
  'SecretRotation',
  v.object({ overlapSec: v.optional(integer(0, 7 * DAY_SECONDS), DAY_SECONDS) }),
  words,
)

export const Rotated = named(
  'RotatedSecret',
  v.object({ secret: v.string(), previousSecretExpiresAt: orNull(ts) }),
  words,
)

export const TestResult = named(
  'WebhookTestResult',
  v.object({
    deliveryId: id,
    statusCode: orNull(count),
    ok: v.boolean(),
    durationMs: count,
    error: orNull(v.string()),
  }),
  words,
)

const deliveryStatus = named('DeliveryStatus', v.picklist(['queued', 'delivered', 'failed', 'disabled']))

export const Delivery = named(
  'WebhookDelivery',
  v.object({
    id,
    endpointId: id,
    eventId: id,
    eventType,
    status: deliveryStatus,
    attempts: count,
    lastStatusCode: orNull(count),
    responseExcerpt: orNull(v.string()),
    nextAttemptAt: orNull(ts),
    deliveredAt: orNull(ts),
    createdAt: ts,
  }),
  words,
)
export type Delivery = v.InferOutput<typeof Delivery>

/** What is sent of a delivery. */
export const Sending = named(
  'WebhookSending',
  v.object({
    body: v.string(),
    headers: list(
      named('WebhookHeader', v.object({ name: v.string(), value: orNull(v.string()) }), {
        name: 'What it is called.',
        value: 'The same at every attempt; null: it is made anew at each, of its time and the secret.',
      }),
    ),
  }),
  { body: 'Exactly the text that is sent, at every attempt.', headers: 'The headers that belong to it.' },
)

export const DeliveryQuery = pageQuery({ status: v.optional(deliveryStatus) })

export const EventInfo = named(
  'EventInfo',
  v.object({ type: eventType, description: v.string(), fields: list(v.string()) }),
  words,
)
