import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Access, Endpoint, EndpointLimit } from '#kernel/endpoint.ts'
import { ERROR_STATUS } from '#kernel/errors.ts'
import { MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES } from './body.ts'
import { failuresOf } from './derived-failures.ts'

type Json = Record<string, unknown>

const SUCCESS: Record<number, string> = {
  200: 'Done',
  206: 'The part that Range asked for',
  302: 'Elsewhere: see Location',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; there is no body',
  304: 'The caller has this already: the ETag is the one of If-None-Match',
  503: 'Not ready',
}

/**
 * Converts schemas to JSON Schema. Recursive schemas become named components (by their title); all others are inlined.
 */
class Schemas {
  readonly named: Json = {}

  of(schema: v.GenericSchema): Json {
    const {
      $schema: _,
      $defs: parts,
      ...json
    } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode: 'ignore',
      errorMode: 'ignore',
    }) as Json & { $defs?: Record<string, Json> }
    if (!parts) return json
    const names = new Map(
      Object.entries(parts).map(([key, part]) => {
        if (typeof part.title !== 'string') throw new Error('A recursive schema needs a title.')
        return [`#/$defs/${key}`, part.title]
      }),
    )
    const renamed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(renamed)
      if (value === null || typeof value !== 'object') return value
      const { $ref } = value as { $ref?: string }
      if ($ref !== undefined) return { $ref: `#/components/schemas/${names.get($ref)}` }
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner)]))
    }
    for (const part of Object.values(parts)) this.named[part.title as string] = renamed(part)
    return renamed(json) as Json
  }
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

const parameters = (endpoint: Endpoint, schemas: Schemas): Json[] => {
  const path = [...endpoint.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => {
    const schema = endpoint.params[name as string]
    return {
      name,
      in: 'path',
      required: true,
      schema: schema ? schemas.of(schema) : { type: 'string', format: 'uuid' },
    }
  })
  const querySchema = endpoint.query ? schemas.of(endpoint.query) : {}
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

/** Content that is not JSON has no schema. */
const bytesOf = (types: readonly string[]): Json => Object.fromEntries(types.map((type) => [type, {}]))

const replyContent = ({ reply, gives }: Endpoint, schemas: Schemas): Json | undefined => {
  if (typeof gives === 'object') return bytesOf(gives.types)
  return reply ? { 'application/json': { schema: schemas.of(reply) } } : undefined
}

const requestBody = ({ body, bodyOptional, takes }: Endpoint, schemas: Schemas): Json | undefined => {
  if (typeof takes === 'object') {
    return { required: true, content: bytesOf(takes.types === 'any' ? ['*/*'] : takes.types) }
  }
  const type = takes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return body && { required: !bodyOptional, content: { [type]: { schema: schemas.of(body) } } }
}

const statusesOf = ({ status, otherStatuses, gives }: Endpoint): number[] => [
  status,
  ...otherStatuses,
  ...(typeof gives === 'object' ? [206, 304] : []),
]

const responses = (endpoint: Endpoint, schemas: Schemas): Json => {
  const content = replyContent(endpoint, schemas)
  const headers = Object.fromEntries(
    Object.entries({
      ...endpoint.replyHeaders,
      ...(endpoint.gives === 'redirect' && { Location: 'Where to go on.' }),
    }).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
  const success = Object.fromEntries(
    statusesOf(endpoint).map((status) => [
      status,
      {
        description: SUCCESS[status] ?? 'Done',
        ...(content && status !== 304 && { content }),
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

const PERIODS: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86_400: 'a day' }

const limitText = ({ per, requests, seconds }: EndpointLimit): string =>
  `At most ${requests} requests ${PERIODS[seconds] ?? `in ${seconds} seconds`} ${per === 'network' ? 'from one IPv4 address or IPv6 /64' : 'with one credential'} (429).`

const operation = (endpoint: Endpoint, schemas: Schemas): Json => {
  const taken = requestBody(endpoint, schemas)
  return {
    operationId: endpoint.id,
    tags: [endpoint.id.split('.')[0]],
    summary: endpoint.summary,
    description: [
      accessText(endpoint.access),
      ...(endpoint.wholeTenant ? ['The permission must be held for the whole institute.'] : []),
      ...(endpoint.flag ? [`Needs the feature ${endpoint.flag}.`] : []),
      ...endpoint.limits.map(limitText),
      ...(endpoint.description ? [endpoint.description] : []),
    ].join('\n\n'),
    security: security(endpoint.access),
    parameters: parameters(endpoint, schemas),
    ...(taken && { requestBody: taken }),
    responses: responses(endpoint, schemas),
  }
}

const DESCRIPTION = `The back end of a teaching institute.

A body is a JSON object of at most ${MAX_BODY_BYTES / 1024} KiB, ${MAX_ANONYMOUS_BODY_BYTES / 1024} KiB where no credential is needed, that arrives within half a minute. Fields that an endpoint does not name are ignored. A change is made only if the credential is still good when its body has come.

429 says by Retry-After when to ask again: a limit is reached, or the server has more to do than it can hold. Nothing was changed then.`

const SECURITY_SCHEMES = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ims_sk_…' },
  publishableKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ims_pk_…' },
}

/** Builds the OpenAPI 3.1 document from the endpoint declarations that the router and the validation also use. */
export const openApiDocument = (endpoints: readonly Endpoint[]): Json => {
  const schemas = new Schemas()
  const documented = endpoints.filter(({ forPeople }) => !forPeople)
  const paths: Json = {}
  for (const [path, group] of Map.groupBy(documented, (endpoint) => endpoint.path)) {
    const atRoot = path.startsWith('//')
    const name = atRoot ? path.slice(1) : path
    if (name in paths)
      throw new Error(`The path ${name} exists both at the root and below /api/v1; the document cannot contain both.`)
    const servers = atRoot && { servers: [{ url: '/' }] }
    paths[name] = Object.fromEntries(
      group.map((endpoint) => [endpoint.method.toLowerCase(), { ...operation(endpoint, schemas), ...servers }]),
    )
  }
  const used = new Set(documented.flatMap(({ access }) => security(access).flatMap((scheme) => Object.keys(scheme))))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Institute',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Institute' },
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      securitySchemes: Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name))),
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
        ...schemas.named,
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
  }
}
