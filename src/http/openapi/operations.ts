import type * as v from 'valibot'
import type { EndpointLimit } from '#kernel/contract/endpoint-types.ts'
import type { Access } from '#kernel/contract/access.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { GLOSSARY, RECORD_NAMES } from '#kernel/contract/glossary.ts'
import { givesFile } from '#http/list-files/columns.ts'
import { FORMATS } from '#http/list-files/list-file.ts'
import { isKeyed, successHeaders } from './headers.ts'
import { refusals } from './refusals.ts'
import { neverNull, type Json, type Schemas } from './schemas.ts'

/** A request that was made and the reply to it, as far as they are JSON. */
export interface Exchange {
  request?: unknown
  reply?: unknown
}

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

export const security = (access: Access): Json[] => {
  if (access === 'anyone') return []
  if (access === 'publishable') return [{ publishableKey: [] }]
  if (access === 'user' || access === 'platform' || access === 'owner') return [{ accessToken: [] }]
  return [{ accessToken: [] }, { apiKey: [] }]
}

/** @throws an Error for an `{id}` of which the glossary does not say what it names */
const parameterText = (path: string, name: string): string => {
  if (name !== 'id') return neverNull(GLOSSARY[name] ?? '')
  const before = path.slice(0, path.indexOf('{id}')).split('/').findLast(Boolean) ?? ''
  const record = RECORD_NAMES[before]
  if (record === undefined)
    throw new Error(`RECORD_NAMES in src/kernel/contract/glossary.ts lacks ${before}, for ${path}.`)
  return `The id of the ${record}.`
}

/** A parameter says what it means itself; in its schema that would be said twice. */
const parameter = (
  place: 'path' | 'query',
  name: string,
  { description, ...schema }: Json,
  required: boolean,
): Json => ({
  name,
  in: place,
  required,
  ...(description !== undefined && { description }),
  schema,
})

/**
 * For lists; see src/http/list-files. The replies name JSON alone: clients that are generated from the document would take
 * every page for one that may be bytes.
 */
const FORMAT = parameter(
  'query',
  'format',
  {
    description: `${FORMATS[0]}, the default, gives a page. ${FORMATS.slice(1).join(' and ')} give the whole list as a file, without cursor and limit; the header Accept may ask for it too. Column heads, and the words that stand for codes, are in the language of Accept-Language, else in the institute’s; moments are in its time zone. Beside an id stands the name of its student, group, course, teacher, guardian or branch, where the caller may read it. Who took a file is in the audit log, with the filters.`,
    type: 'string',
    enum: FORMATS,
  },
  false,
)

const parameters = (endpoint: Endpoint, schemas: Schemas): Json[] => {
  const path = [...endpoint.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => {
    const schema = endpoint.params[name]
    const json = schema ? schemas.of(schema) : { type: 'string', format: 'uuid' }
    return parameter('path', name, { description: parameterText(endpoint.path, name), ...json }, true)
  })
  const querySchema = endpoint.query ? schemas.of(endpoint.query) : {}
  const required = new Set((querySchema.required as string[] | undefined) ?? [])
  const query = Object.entries((querySchema.properties as Record<string, Json> | undefined) ?? {}).map(
    ([name, schema]) => parameter('query', name, schema, required.has(name)),
  )
  if (givesFile(endpoint)) query.push(FORMAT)
  return [...path, ...query, ...(isKeyed(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [])]
}

/** Bytes have no schema. */
const bytesOf = (types: readonly string[]): Json => Object.fromEntries(types.map((type) => [type, {}]))

const media = (schema: v.GenericSchema, schemas: Schemas, example: unknown): Json => ({
  schema: schemas.of(schema),
  ...(example !== undefined && { example }),
})

const replyContent = ({ reply, gives }: Endpoint, schemas: Schemas, example: unknown): Json | undefined => {
  if (typeof gives === 'object') return bytesOf(gives.types)
  return reply ? { 'application/json': media(reply, schemas, example) } : undefined
}

const requestBody = ({ body, bodyOptional, takes }: Endpoint, schemas: Schemas, example: unknown): Json | undefined => {
  if (typeof takes === 'object') {
    return { required: true, content: bytesOf(takes.types === 'any' ? ['*/*'] : takes.types) }
  }
  const type = takes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return body && { required: !bodyOptional, content: { [type]: media(body, schemas, example) } }
}

const statusesOf = ({ status, otherStatuses, gives }: Endpoint): number[] => [
  status,
  ...otherStatuses,
  ...(typeof gives === 'object' ? [206, 304] : []),
]

const responses = (endpoint: Endpoint, schemas: Schemas, example: unknown): Json => ({
  ...Object.fromEntries(
    statusesOf(endpoint).map((status) => {
      const content = replyContent(endpoint, schemas, status === endpoint.status ? example : undefined)
      return [
        status,
        {
          description: SUCCESS[status] ?? 'Done',
          headers: successHeaders(endpoint, status),
          ...(content && status !== 304 && { content }),
        },
      ]
    }),
  ),
  ...refusals(endpoint, schemas),
})

const PERIODS: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86_400: 'a day' }

const limitText = ({ per, requests, seconds, counts }: EndpointLimit): string => {
  const period = PERIODS[seconds] ?? `in ${seconds} seconds`
  const from = per === 'network' ? 'from one IPv4 address or IPv6 /64' : 'with one credential'
  const which = counts === 'kept' ? ' Only those that are kept count.' : ''
  return `At most ${requests} requests ${period} ${from} (429).${which}`
}

const paceText = (perSecond: number): string =>
  `At most ${perSecond} requests of one institute start in a second; others wait for their turn, for up to five seconds, or are refused (429).`

/** The schemas of an endpoint that the document shows. */
export const rootsOf = ({ params, query, body, reply }: Endpoint): v.GenericSchema[] =>
  [...Object.values(params), query, body, reply].filter((schema) => schema !== undefined && schema !== null)

/** The tag under which an endpoint stands: the first word of its id. */
export const tagOf = ({ id }: Pick<Endpoint, 'id'>): string => id.split('.')[0] as string

export const operation = (endpoint: Endpoint, schemas: Schemas, { request, reply }: Exchange): Json => {
  const taken = requestBody(endpoint, schemas, request)
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: [
      accessText(endpoint.access),
      ...(endpoint.taughtToo
        ? [`Teachers with ${endpoint.taughtToo} may too, for the groups that they teach or substitute.`]
        : []),
      ...(endpoint.wholeTenant ? ['The permission must be held for the whole institute.'] : []),
      ...(endpoint.lasting ? ['An impersonated session is refused (403, details.reason impersonated).'] : []),
      ...(endpoint.flag ? [`Needs the feature ${endpoint.flag}.`] : []),
      ...endpoint.limits.map(limitText),
      ...(endpoint.startsPerSecond ? [paceText(endpoint.startsPerSecond)] : []),
      ...(endpoint.description ? [endpoint.description] : []),
    ].join('\n\n'),
    security: security(endpoint.access),
    parameters: parameters(endpoint, schemas),
    ...(taken && { requestBody: taken }),
    responses: responses(endpoint, schemas, reply),
  }
}
