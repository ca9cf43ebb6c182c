import { expect, test } from 'vitest'
import document from '../../contract/openapi.json' with { type: 'json' }

/**
 * Every field of a request that may name a server is known here: `src/threat-model.md` has the rule for each that the
 * server calls.
 */

const CALLED = [
  'PATCH /settings baseUrl',
  'PATCH /webhooks/{id} url',
  'POST /mail/test server',
  'POST /mail/test server.host',
  'POST /me/devices endpoint',
  'POST /platform/tenants/{id}/domains domain',
  'POST /setup/bootstrap institute.baseUrl',
  'POST /webhooks url',
  'PUT /mail/settings host',
  'PUT /notification-providers/{channel} host',
  'PUT /notification-providers/{channel} url',
]

/** Written into links, compared, or shown to people; nothing is sent there. */
const NEVER_CALLED = ['POST /api-keys allowedOrigins', 'POST /oauth/register client_uri', 'PUT /lessons/{id}/video url']

interface Schema {
  $ref?: string
  format?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const schemas = document.components.schemas as Record<string, Schema>
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(schemas[schema.$ref.split('/').at(-1) as string] as Schema)

/** Names of servers, as fields are called that hold one; `slug` and `address` (of a house) are others. */
const NAMES_SERVER = /^(?:.*url|host|hostname|server|endpoint|domain|origin|.*origins|webhook|link|callback)$/i

const fieldsIn = (given: Schema, path: readonly string[] = []): string[] => {
  const schema = resolved(given)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...variants.flatMap((variant) => fieldsIn(variant, path)),
    ...(schema.items ? fieldsIn(schema.items, path) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const own = [...path, name]
      const isServer = NAMES_SERVER.test(name) || resolved(field).format === 'uri'
      return [...(isServer ? [own.join('.')] : []), ...fieldsIn(field, own)]
    }),
  ]
}

interface Operation {
  requestBody?: { content: Record<string, { schema?: Schema }> }
}

test('every field of the API that may name a server is known, and whether the server calls it', () => {
  const found = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
        fieldsIn(schema).map((field) => `${method.toUpperCase()} ${path} ${field}`),
      ),
    ),
  )
  expect([...new Set(found)].toSorted()).toEqual([...CALLED, ...NEVER_CALLED].toSorted())
})
