import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES } from '#http/bodies/body.ts'
import { HEADERS } from './headers.ts'
import { operation, rootsOf, security, tagOf, type Exchange } from './operations.ts'
import { Refusals } from './refusals.ts'
import { Schemas, type Json } from './schemas.ts'
import { eventComponents, eventRoots, webhooks } from './webhooks.ts'

export type { Exchange } from './operations.ts'

const DESCRIPTION = `The back end of a teaching institute.

The [guide](/docs/guide) says how to sign in, page through lists, repeat requests safely, read errors and verify webhooks.

A body is a JSON object of at most ${MAX_BODY_BYTES / 1024} KiB, ${MAX_ANONYMOUS_BODY_BYTES / 1024} KiB where no credential is needed, that arrives within half a minute. Fields that an endpoint does not name are ignored. A change is made only if the credential is still good when its body has come.

429 says by Retry-After when to ask again: a limit is reached, or the server has more to do than it can hold. Nothing was changed then.`

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of somebody who signed in. It lives 15 minutes.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ims_sk_…',
    description: 'A secret API key, for programs. Every change needs an Idempotency-Key.',
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ims_pk_…',
    description: 'A publishable API key, for pages of the origins that it lists.',
  },
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Required of API keys. A repeat within 24 hours with the same method, path and body gets the stored reply and the header Idempotency-Replayed: true.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

interface Described {
  endpoints: readonly Endpoint[]
  /** Of the program. */
  version: string
  /** What the endpoints of a tag are about, by its name. */
  tags: Readonly<Record<string, string>>
  /** By the id of the endpoint. */
  examples: Readonly<Record<string, Exchange>>
}

const sorted = (components: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const pathsOf = (endpoints: readonly Endpoint[], of: (endpoint: Endpoint) => Json): Json => {
  const paths: Json = {}
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const atRoot = path.startsWith('//')
    const name = atRoot ? path.slice(1) : path
    if (name in paths) throw new Error(`The document cannot tell ${name} at the root from the one below /api/v1.`)
    const servers = atRoot && { servers: [{ url: '/', description: 'This server, at its root' }] }
    paths[name] = Object.fromEntries(
      group.map((endpoint) => [endpoint.method.toLowerCase(), { ...of(endpoint), ...servers }]),
    )
  }
  return paths
}

/**
 * The OpenAPI 3.1 document, made from the declarations that route and validate. The same declarations give the same
 * document, to the byte.
 * @throws an Error for what the document cannot tell apart: two schemas, refusals or addresses of one name
 */
export const openApiDocument = ({ endpoints, version, tags, examples }: Described): Json => {
  const documented = endpoints.filter(({ forPeople }) => !forPeople)
  const refused = new Refusals(documented)
  const schemas = new Schemas([...documented.flatMap(rootsOf), ...refused.roots, ...eventRoots])
  const errors = refused.components(schemas)
  const used = new Set(documented.flatMap(({ access }) => security(access).flatMap((scheme) => Object.keys(scheme))))
  const sections = [...new Set(documented.map(tagOf))].map((name) => ({ name, description: tags[name] ?? '' }))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Institute',
      version,
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Institute' },
    },
    servers: [{ url: '/api/v1', description: 'This server' }],
    tags: sections,
    paths: pathsOf(documented, (endpoint) => operation(endpoint, schemas, examples[endpoint.id] ?? {})),
    webhooks: webhooks(),
    components: {
      securitySchemes: Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name))),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      examples: errors.examples,
      schemas: sorted({ ...schemas.components, ...errors.schemas, ...eventComponents(schemas) }),
    },
  }
}
