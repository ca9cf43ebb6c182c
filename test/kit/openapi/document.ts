/** The parts of an OpenAPI 3.1 document that tests read. */
export interface JsonSchema {
  $ref?: string
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
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export interface Content {
  /** By media type; binary content has no schema. */
  content?: Record<string, { schema?: JsonSchema }>
}

export const jsonSchemaOf = (described: Content | undefined): JsonSchema | undefined =>
  described?.content?.['application/json']?.schema

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

export interface Operation {
  operationId: string
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

/** Every operation with its path as the test client writes it: `//metrics` at the server's root. */
export const operationsOf = (document: Document): { path: string; method: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: operation.servers ? `/${path}` : path,
      method: method.toUpperCase(),
      operation,
    })),
  )
