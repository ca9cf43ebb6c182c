import type { FullDocument, JsonSchema } from './document.ts'

/** A schema somewhere in the document, and the way to it. */
export interface Place {
  at: string
  schema: JsonSchema
}

const inner = (
  { properties = {}, items, additionalProperties, prefixItems = [], anyOf = [] }: JsonSchema,
  at: string,
): Place[] => [
  ...Object.entries(properties).map(([name, schema]) => ({ at: `${at}.${name}`, schema })),
  ...[...anyOf, ...prefixItems].map((schema) => ({ at, schema })),
  ...(items ? [{ at: `${at}[]`, schema: items }] : []),
  ...(typeof additionalProperties === 'object' ? [{ at: `${at}{}`, schema: additionalProperties }] : []),
]

/** A schema with all that it is made of, as far as that has no name of its own. */
export const within = ({ at, schema }: Place): Place[] => [{ at, schema }, ...inner(schema, at).flatMap(within)]

/** The bodies of all operations: what they take, and what they give when they succeed. */
export const bodiesOf = ({ paths }: FullDocument): Place[] =>
  Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody, responses }) => {
      const replies = Object.entries(responses).flatMap(([status, reply]) => (status < '300' ? [reply] : []))
      return [requestBody, ...replies]
        .flatMap((described) => Object.values(described?.content ?? {}))
        .flatMap(({ schema }) => (schema ? [{ at: operationId, schema }] : []))
    }),
  )

/** The named schemas. */
export const namedOf = ({ components }: FullDocument): Place[] =>
  Object.entries(components.schemas).map(([at, schema]) => ({ at, schema }))
