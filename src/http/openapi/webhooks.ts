import type * as v from 'valibot'
import { EVENTS, PUBLIC_EVENTS } from '#kernel/contract/events.ts'
import type { Json, Schemas } from './schemas.ts'

/** `student.status_changed` → `StudentStatusChanged` */
const typeName = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const events = PUBLIC_EVENTS.map((type) => ({
  type,
  description: EVENTS[type].description,
  data: EVENTS[type].data as v.GenericSchema,
}))

/** The payloads of all events, for the schemas that are translated. */
export const eventRoots = events.map(({ data }) => data)

/** What every delivery carries beside its body. */
const HEADERS: readonly [name: string, description: string, schema: Json][] = [
  [
    'X-Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: v1 is the HMAC-SHA256 of `<t>.<body>`, keyed with the whole signing secret, over the exact bytes of the body. While a secret is being rotated there are several v1: one that matches is enough. Refuse a t that is older than 300 seconds.',
    { type: 'string' },
  ],
  ['X-Service-Timestamp', 'The t of the signature: unix seconds.', { type: 'integer' }],
  ['X-Service-Event', 'The type of the event.', { type: 'string' }],
  ['X-Service-Delivery', 'The delivery, the same at every attempt.', { type: 'string', format: 'uuid' }],
  [
    'webhook-id',
    'As in Standard Webhooks: the event, the same in every delivery of it, at every attempt and replay.',
    { type: 'string', format: 'uuid' },
  ],
  ['webhook-timestamp', 'As in Standard Webhooks: when this attempt was made, in unix seconds.', { type: 'integer' }],
  [
    'webhook-signature',
    'As in Standard Webhooks: `v1,<base64>`, the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the bytes that the secret encodes after `whsec_`. While a secret is being rotated there are two, with a space between: one that matches is enough.',
    { type: 'string' },
  ],
]

const parameters = HEADERS.map(([name, description, schema]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
}))

const responses = {
  '2XX': { description: 'The delivery has arrived. The body of the answer does not matter.' },
  default: {
    description:
      'Anything else, a redirect, or no answer within 5 seconds: the delivery is tried again after 1 minute, 5 minutes, 30 minutes and 2 hours.',
  },
}

/** The components for the deliveries of all events: the data of each, and the envelope around them. */
export const eventComponents = (schemas: Schemas): Record<string, Json> =>
  Object.fromEntries(
    events.flatMap(({ type, description, data }) => {
      const name = typeName(type)
      const envelope: Json = {
        type: 'object',
        description: `${description}.`,
        required: ['id', 'type', 'occurredAt', 'tenantId', 'data'],
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The event: the same in every delivery of it.' },
          type: { const: type, description: 'What happened.' },
          occurredAt: { type: 'string', format: 'date-time', description: 'When it happened.' },
          tenantId: { type: 'string', format: 'uuid', description: 'The institute in which it happened.' },
          data: { $ref: `#/components/schemas/${name}Data`, description: 'What is told of it.' },
        },
      }
      return [
        [`${name}Data`, schemas.of(data)],
        [`${name}Event`, envelope],
      ]
    }),
  )

/** What the server sends to webhook endpoints, by the type of the event. */
export const webhooks = (): Json =>
  Object.fromEntries(
    events.map(({ type, description }) => [
      type,
      {
        post: {
          operationId: `event.${type}`,
          summary: description,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${typeName(type)}Event` } } },
          },
          responses,
        },
      },
    ]),
  )
