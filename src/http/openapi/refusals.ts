import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { ERROR_STATUS, Malformed, reasonsOf, type ErrorSpec } from '#kernel/values/errors.ts'
import { failuresOf } from '#http/replies/derived-failures.ts'
import { oauthErrorOf } from '#http/replies/error-body.ts'
import { refusalHeaders } from './headers.ts'
import type { Json, Schemas } from './schemas.ts'

const REQUEST_ID = '5f0c3f6e-7a52-4d0b-9f0a-2f6d1c8b4e3a'

/** Every refusal that one of the endpoints may give. @throws an Error for two of one name */
const specsOf = (endpoints: readonly Endpoint[]): ErrorSpec[] => {
  const specs = [...new Set(endpoints.flatMap((endpoint) => failuresOf(endpoint).map(({ spec }) => spec)))]
  const names = new Set<string>()
  for (const { name } of specs) {
    if (names.has(name)) throw new Error(`Two refusals have the name ${name}.`)
    names.add(name)
  }
  return specs.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A field of the details of one refusal. */
interface Telling {
  field: string
  code: string
  json: Json
}

const shapeIn = ({ json }: Telling): Json => {
  const { description: _, ...shape } = json
  return shape
}

const valuesIn = ({ enum: values = [] }: Json): string[] => (values as unknown[]).map(String)

const areTexts = (shapes: readonly Json[]): boolean => shapes.every(({ type }) => type === 'string')

/** What a field may be that refusals of several kinds have. */
const together = (shapes: readonly Json[]): Json => {
  const different = shapes.filter((one, at) => shapes.findIndex((other) => isDeepStrictEqual(one, other)) === at)
  if (different.length === 1) return different[0] as Json
  if (!areTexts(different)) return { anyOf: different }
  const isClosed = different.every((shape) => shape.enum !== undefined)
  return { type: 'string', ...(isClosed && { enum: [...new Set(different.flatMap(valuesIn))] }) }
}

/** `CONFLICT: The status of the group.` A text whose values are not the same in all refusals has them listed. */
const meaningOf = (code: string, tellings: readonly Telling[], isListed: boolean): string => {
  const meanings = tellings.flatMap(({ json }) => (json.description as string | undefined) ?? [])
  const values = isListed ? tellings.flatMap(({ json }) => valuesIn(json)).map((value) => `\`${value}\``) : []
  const list = values.length > 0 ? [`${[...new Set(values)].join(', ')}.`] : []
  return `${code}: ${[...new Set([...meanings, ...list])].join(' ') || 'in words.'}`
}

/** One field of `details` as it may be in all refusals. */
const merged = (tellings: readonly Telling[]): Json => {
  const shape = together(tellings.map(shapeIn))
  const isListed = areTexts(tellings.map(shapeIn)) && shape.enum === undefined
  const byCode = Map.groupBy(tellings, ({ code }) => code)
  return {
    ...shape,
    description: [...byCode].map(([code, group]) => meaningOf(code, group, isListed)).join(' '),
  }
}

const detailsOf = (specs: readonly ErrorSpec[], schemas: Schemas): Json => {
  const tellings = specs.flatMap(({ code, details }): Telling[] => {
    const { properties = {} } = details ? schemas.of(details.schema) : {}
    return Object.entries(properties as Record<string, Json>).flatMap(([field, json]) =>
      field === 'reason' ? [] : [{ field, code, json }],
    )
  })
  const fields = Map.groupBy(tellings, ({ field }) => field)
  return Object.fromEntries([...fields].toSorted().map(([field, group]) => [field, merged(group)]))
}

const REASON: Json = {
  type: 'string',
  description:
    'Which case it is: a name in snake_case that does not change, by which a program words it in its own language. Each status of an operation lists those that it may have. With MALFORMED_REQUEST it is a sentence.',
}

const PATH: Json = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Of a request that makes several records: which part of the body it is about, by names of fields, and positions in arrays counted from 0.',
}

const exampleDetails = (reason: string | undefined, details: ErrorSpec['details']): Json =>
  reason === undefined && !details ? {} : { details: { ...(reason && { reason }), ...(details?.example as Json) } }

const envelope = (fields: Record<'code' | 'message' | 'details' | 'requestId', Json>): Json => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'What is refused, and why.',
      required: ['code', 'message', 'requestId'],
      properties: fields,
    },
  },
})

/** The errors of OAuth, whose endpoints have no envelope. */
const OAUTH_ERROR: Json = {
  type: 'object',
  description: 'A refusal of the addresses of OAuth, in its own form (RFC 6749, 5.2).',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: 'Which case it is, by which programs branch.' },
    error_description: { type: 'string', description: 'English, for logs.' },
  },
}

/** The error envelope, and an example of each refusal. */
export class Refusals {
  readonly #specs: readonly ErrorSpec[]

  constructor(endpoints: readonly Endpoint[]) {
    this.#specs = specsOf(endpoints.filter(({ oauthErrors }) => !oauthErrors))
  }

  /** The schemas of all details. */
  get roots() {
    return this.#specs.flatMap(({ details }) => details?.schema ?? [])
  }

  components(schemas: Schemas): { schemas: Record<string, Json>; examples: Record<string, Json> } {
    return {
      schemas: {
        ErrorCode: {
          type: 'string',
          enum: Object.keys(ERROR_STATUS),
          description: 'Why something is refused.',
        },
        ErrorDetails: {
          type: 'object',
          description:
            'What somebody can act on, or a program branch on; which fields there are follows from the code.',
          properties: { reason: REASON, path: PATH, ...detailsOf(this.#specs, schemas) },
        },
        OAuthError: OAUTH_ERROR,
        ErrorBody: {
          description: 'Every refusal, whatever its status.',
          ...envelope({
            code: {
              $ref: '#/components/schemas/ErrorCode',
              description: 'By which programs branch, not by the status.',
            },
            message: { type: 'string', description: 'English, for logs.' },
            details: {
              $ref: '#/components/schemas/ErrorDetails',
              description: 'Where there is something to act on.',
            },
            requestId: {
              type: 'string',
              description: 'Names the request in the log of the server, as the header X-Request-Id does.',
            },
          }),
        },
      },
      examples: Object.fromEntries(
        this.#specs.map(({ name, reason, code, message, details }) => [
          name,
          {
            summary: message,
            value: { error: { code, message, ...exampleDetails(reason, details), requestId: REQUEST_ID } },
          },
        ]),
      ),
    }
  }
}

/**
 * Browsers open what lies outside /api/, and get a page for people in place of the envelope: `wantsHtml` in server.ts, which
 * goes by the request, decides.
 */
const isOpenedByPeople = ({ path, method, gives }: Endpoint): boolean =>
  path.startsWith('//') && (method === 'GET' || typeof gives === 'object')

/** The envelope of one status: the general one, unless the refusals tell which case it is. */
const statusEnvelope = (specs: readonly ErrorSpec[], schemas: Schemas, { hasParts }: Endpoint): Json => {
  const reasons = [...new Set(specs.flatMap((spec) => reasonsOf(spec) ?? []))]
  if (reasons.length === 0) return { $ref: '#/components/schemas/ErrorBody' }
  const known = { type: 'string', enum: reasons }
  // Where a refusal has a sentence, the reasons of the others are known values beside it.
  const isOpen = specs.some(({ code }) => code === Malformed.spec.code)
  const reason = isOpen ? { anyOf: [known, { type: 'string' }] } : known
  const fields = detailsOf(specs, schemas)
  return envelope({
    code: { type: 'string', enum: [...new Set(specs.map(({ code }) => code))] },
    message: { type: 'string' },
    details: { type: 'object', properties: { reason, ...(hasParts && { path: PATH }), ...fields } },
    requestId: { type: 'string' },
  })
}

/** The refusals of an endpoint of OAuth, by status. */
const oauthRefusals = (endpoint: Endpoint): Json => {
  const told = failuresOf(endpoint).map(({ spec }) => ({ ...oauthErrorOf(endpoint, spec), message: spec.message }))
  const byStatus = Map.groupBy(told, ({ status }) => status)
  const sorted = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    sorted.map(([status, group]) => [
      status,
      {
        description: [...new Set(group.map(({ error, message }) => `${error}: ${message}`))].join('\n\n'),
        headers: refusalHeaders(endpoint, status),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
      },
    ]),
  )
}

/** The refusals of an endpoint, by status. */
export const refusals = (endpoint: Endpoint, schemas: Schemas): Json => {
  if (endpoint.oauthErrors) return oauthRefusals(endpoint)
  const specs = failuresOf(endpoint).map(({ spec }) => spec)
  const byStatus = Map.groupBy(specs, ({ status }) => status)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: [...new Set(group.map(({ code, message }) => `${code}: ${message}`))].join('\n\n'),
          headers: refusalHeaders(endpoint, status),
          content: {
            'application/json': {
              schema: statusEnvelope(group, schemas, endpoint),
              examples: Object.fromEntries(group.map(({ name }) => [name, { $ref: `#/components/examples/${name}` }])),
            },
            ...(isOpenedByPeople(endpoint) && { 'text/html': {} }),
          },
        },
      ]),
  )
}
