import type { Client } from '../client.ts'

/** The parts of an OpenAPI 3.1 document that tests read. */
export interface JsonSchema {
  $ref?: string
  description?: string
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema
  prefixItems?: JsonSchema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export interface Content {
  /** By media type; binary content has no schema. */
  content?: Record<string, { schema?: JsonSchema; example?: unknown; examples?: Record<string, { $ref: string }> }>
}

export const jsonSchemaOf = (described: Content | undefined): JsonSchema | undefined =>
  described?.content?.['application/json']?.schema

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required: boolean
  schema: JsonSchema
}

export interface Operation {
  operationId: string
  tags?: string[]
  /** Set when the path is not below /api/v1 but at the server's root. */
  servers?: unknown
  parameters: (Parameter | { $ref: string })[]
  security: Record<string, unknown>[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content & { description: string; headers?: Record<string, unknown> }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, JsonSchema> }
}

/** With what clients do not depend on. */
export interface FullDocument extends Document {
  info: { version: string }
  tags: { name: string; description: string }[]
  webhooks: Record<string, { post: Operation }>
  components: Document['components'] & { examples: Record<string, { value: unknown }> }
}

const nameIn = ($ref: string): string => $ref.split('/').at(-1) as string

/** The schema in which every named one stands where it is used; none that a request takes names itself. */
const spelledOut = (document: Document, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => spelledOut(document, one))
  if (value === null || typeof value !== 'object') return value
  const { $ref } = value as JsonSchema
  if ($ref?.startsWith('#/components/schemas/')) return spelledOut(document, document.components.schemas[nameIn($ref)])
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spelledOut(document, inner)]))
}

/** The server's document. What requests take is spelled out, for whoever makes requests of it. */
export const readDocument = async (client: Client): Promise<Document> => {
  const document = (await client.get('//openapi.json')).body as Document
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters = spelledOut(document, operation.parameters) as Operation['parameters']
    if (operation.requestBody) {
      operation.requestBody = spelledOut(document, operation.requestBody) as NonNullable<Operation['requestBody']>
    }
  }
  return document
}

/** Every operation with its path as the test client writes it: `//metrics` at the server's root. */
export const operationsOf = (document: Document): { path: string; method: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: operation.servers ? `/${path}` : path,
      method: method.toUpperCase(),
      operation,
    })),
  )
