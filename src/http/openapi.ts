import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Access, Endpoint } from '#kernel/endpoint.ts'
import { ERROR_STATUS } from '#kernel/errors.ts'
import { failuresOf } from './derived-failures.ts'

type Json = Record<string, unknown>

const SUCCESS: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; there is no body',
  503: 'Not ready',
}

const schemaOf = (schema: v.GenericSchema): Json => {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'ignore',
    errorMode: 'ignore',
  }) as Json
  return json
}

const accessText = (access: Access): string => {
  if (typeof access !== 'string') return `Needs one of the permissions ${access.join(', ')}.`
  if (access.includes('.')) return `Needs the permission ${access}.`
  return {
    tenant: 'Any caller inside the institute.',
    owner: 'The owner of the institute.',
    publishable: 'A publishable key, from one of its origins.',
    user: 'Any signed-in user.',
    platform: 'A platform admin.',
    anyone: 'No credential is needed.',
  }[access as string] as string
}

const security = (access: Access): Json[] => {
  if (access === 'anyone') return []
  if (access === 'publishable') return [{ publishableKey: [] }]
  if (access === 'user' || access === 'platform' || access === 'owner') return [{ accessToken: [] }]
  return [{ accessToken: [] }, { apiKey: [] }]
}

const parameters = (endpoint: Endpoint): Json[] => {
  const path = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const schema = endpoint.params[name as string]
    return { name, in: 'path', required: true, schema: schema ? schemaOf(schema) : { type: 'string', format: 'uuid' } }
  })
  const querySchema = endpoint.query ? schemaOf(endpoint.query) : {}
  const required = new Set((querySchema.required as string[] | undefined) ?? [])
  const query = Object.entries((querySchema.properties as Json | undefined) ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }))
  const idempotency =
    endpoint.method === 'GET' || endpoint.access === 'anyone'
      ? []
      : [{ $ref: '#/components/parameters/IdempotencyKey' }]
  return [...path, ...query, ...idempotency]
}

const responses = (endpoint: Endpoint): Json => {
  const content = endpoint.reply ? { 'application/json': { schema: schemaOf(endpoint.reply) } } : undefined
  const headers = Object.fromEntries(
    Object.entries(endpoint.replyHeaders).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
  const success = Object.fromEntries(
    [endpoint.status, ...endpoint.otherStatuses].map((status) => [
      status,
      {
        description: SUCCESS[status] ?? 'Done',
        ...(content && { content }),
        ...(Object.keys(headers).length > 0 && { headers }),
      },
    ]),
  )
  const byStatus = Map.groupBy(failuresOf(endpoint), (failure) => failure.spec.status)
  const failures = Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: [...new Set(group.map(({ spec }) => `${spec.code}: ${spec.message}`))].join('\n\n'),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  )
  return { ...success, ...failures }
}

const operation = (endpoint: Endpoint): Json => ({
  operationId: endpoint.id,
  tags: [endpoint.id.split('.')[0]],
  summary: endpoint.summary,
  description: [
    accessText(endpoint.access),
    ...(endpoint.wholeTenant ? ['The permission must be held for the whole institute.'] : []),
    ...(endpoint.flag ? [`Needs the feature ${endpoint.flag}.`] : []),
    ...(endpoint.description ? [endpoint.description] : []),
  ].join('\n\n'),
  security: security(endpoint.access),
  parameters: parameters(endpoint),
  ...(endpoint.body && {
    requestBody: {
      required: !endpoint.bodyOptional,
      content: { 'application/json': { schema: schemaOf(endpoint.body) } },
    },
  }),
  responses: responses(endpoint),
})

/** The OpenAPI 3.1 document, made from the declarations that route and validate. */
export const openApiDocument = (endpoints: readonly Endpoint[]): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Institute',
    version: '1',
    description: 'The back end of a teaching institute.',
    license: { name: 'Proprietary', identifier: 'LicenseRef-Institute' },
  },
  servers: [{ url: '/api/v1' }],
  tags: [...new Set(endpoints.map((endpoint) => endpoint.id.split('.')[0] as string))].map((name) => ({ name })),
  paths: Object.fromEntries(
    [...Map.groupBy(endpoints, (endpoint) => endpoint.path)].map(([path, group]) => [
      path,
      Object.fromEntries(group.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint)])),
    ]),
  ),
  components: {
    securitySchemes: {
      accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ims_sk_…' },
      publishableKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ims_pk_…' },
    },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'Required of API keys. A repeat within 24 hours with the same method, path and body gets the stored reply and the header Idempotency-Replayed: true.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    },
    schemas: {
      Error: {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message', 'requestId'],
            properties: {
              code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
              message: { type: 'string', description: 'English, for logs.' },
              details: { type: 'object' },
              requestId: { type: 'string' },
            },
          },
        },
      },
    },
  },
})
