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

interface Content {
  content?: { 'application/json': { schema: JsonSchema } }
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

export interface Operation {
  operationId: string
  parameters: (Parameter | { $ref: string })[]
  security: Record<string, unknown>[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content & { description: string; headers?: Record<string, unknown> }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, JsonSchema> }
}
