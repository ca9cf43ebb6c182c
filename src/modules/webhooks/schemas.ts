import * as v from 'valibot'
import { EVENT_CATALOGUE, type EventType } from '#kernel/events.ts'
import { count, id, integer, line, list, orNull, pageQuery, ts } from '#kernel/schema.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type) as [EventType, ...EventType[]]

const eventType = v.picklist(TYPES, 'Must be a type that GET /webhooks/events lists.')

/** Without duplicates, in the order of the event catalogue. */
const events = v.pipe(
  v.array(eventType),
  v.minLength(1, 'Must name at least one type.'),
  v.maxLength(100, 'Must name at most 100 types.'),
  v.transform((given) => TYPES.filter((type) => given.includes(type))),
)

/** The service checks where it leads, because the rules depend on the deployment. */
const url = line(2000)

export const WebhookEndpoint = v.object({
  id,
  url: v.string(),
  events: list(eventType),
  isActive: v.boolean(),
  failureCount: count,
  disabledAt: orNull(ts),
  previousSecretExpiresAt: orNull(ts),
  createdAt: ts,
})
export type WebhookEndpoint = v.InferOutput<typeof WebhookEndpoint>

/** The only reply that contains the signing secret. */
export const CreatedWebhookEndpoint = v.object({ ...WebhookEndpoint.entries, secret: v.string() })

const writable = v.object({ url, events, isActive: v.boolean() })

export const NewWebhook = v.object({ ...writable.entries, isActive: v.optional(v.boolean(), true) })
export const WebhookChanges = v.partial(writable)

const DAY_SECONDS = 24 * 3600

export const Rotation = v.object({ overlapSec: v.optional(integer(0, 7 * DAY_SECONDS), DAY_SECONDS) })

export const Rotated = v.object({ secret: v.string(), previousSecretExpiresAt: orNull(ts) })

export const TestResult = v.object({
  deliveryId: id,
  statusCode: orNull(count),
  ok: v.boolean(),
  durationMs: count,
  error: orNull(v.string()),
})

const deliveryStatus = v.picklist(['queued', 'delivered', 'failed', 'disabled'])

export const Delivery = v.object({
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
})
export type Delivery = v.InferOutput<typeof Delivery>

export const DeliveryQuery = pageQuery({ status: v.optional(deliveryStatus) })

export const EventInfo = v.object({ type: eventType, description: v.string(), fields: list(v.string()) })
