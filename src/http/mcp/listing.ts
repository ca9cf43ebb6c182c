import type * as v from 'valibot'
import { GLOSSARY } from '#kernel/contract/glossary.ts'
import { neverNull, Schemas, type Json } from '#http/openapi/schemas.ts'
import { KEY_ARGUMENT, MOST_RECORDS, TOKEN_ARGUMENT, USUAL_RECORDS, type Tool } from './tool.ts'

/** A tool as tools/list describes it. */
interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: Json & { type: 'object' }
  outputSchema: Json & { type: 'object' }
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

const REFERENCE = '#/components/schemas/'

/** A schema with every reference to a named one replaced. */
const withReferences = (value: unknown, replace: (name: string) => Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => withReferences(one, replace))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as { $ref?: unknown }
  if (typeof $ref === 'string' && $ref.startsWith(REFERENCE))
    return { ...replace($ref.slice(REFERENCE.length)), ...(withReferences(rest, replace) as Json) }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withReferences(inner, replace)]))
}

/**
 * A schema without its descriptions, which are half of it. A model that has a result reads it by the names of its fields,
 * and pays for whatever the list of tools says beside.
 */
const withoutWords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  // What is called description and is no text is a field of that name.
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'description' || typeof inner !== 'string')
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWords(inner)]))
}

/** Schemas that stand for themselves, as each tool's do. */
class OwnSchemas {
  readonly #schemas: Schemas

  constructor(roots: readonly v.GenericSchema[]) {
    this.#schemas = new Schemas(roots)
  }

  /** Named schemas stand where they are used: models read what arguments are from the top down. */
  inline(schema: v.GenericSchema | undefined): Json {
    const { components } = this.#schemas
    const replace = (name: string): Json => withReferences(components[name], replace) as Json
    return schema ? (withReferences(this.#schemas.of(schema), replace) as Json) : {}
  }

  /** Without words, and each named schema once, below $defs: a result has some of them many times. */
  withDefinitions(schema: v.GenericSchema | null): { reply: Json; $defs: Record<string, Json> } {
    const { components } = this.#schemas
    const $defs: Record<string, Json> = {}
    const replace = (name: string): Json => {
      if (!$defs[name]) {
        $defs[name] = {}
        $defs[name] = withReferences(withoutWords(components[name]), replace) as Json
      }
      return { $ref: `#/$defs/${name}` }
    }
    const reply = schema ? withReferences(withoutWords(this.#schemas.of(schema)), replace) : { type: 'null' }
    return { reply: reply as Json, $defs }
  }
}

const OWN_ARGUMENTS: Readonly<Record<string, Json>> = {
  [KEY_ARGUMENT]: {
    type: 'string',
    maxLength: 255,
    description:
      'Any text of your own. A repeat of the same call with the same key changes nothing again: give one when you may have to repeat the call.',
  },
  [TOKEN_ARGUMENT]: {
    type: 'string',
    maxLength: 1000,
    description:
      'Leave it out at first: the call then changes nothing and tells what it would do, with a token. Show that to the person you act for; only when they agree, call again with the same arguments and that token.',
  },
}

const TEXT: Json = { type: 'string' }

/** What is said beside every result. What it means, the instructions of the server say once. */
const COMMON: Readonly<Record<string, Json>> = {
  timezone: TEXT,
  currency: TEXT,
  writtenByPeople: { type: 'array', items: TEXT },
}

interface Fields {
  properties: Record<string, Json>
  required: string[]
}

const fieldsOf = (schema: Json): Fields => {
  const { properties, required } = schema as Partial<Fields>
  return { properties: properties ?? {}, required: required ?? [] }
}

/** Describes tools in words and JSON schemas, as their endpoints declare them. @returns for each its description in JSON */
export const describeTools = (tools: readonly Tool[]): ReadonlyMap<Tool, string> => {
  const roots = tools.flatMap(({ endpoint: { query, body, reply } }) => [query, body, reply ?? undefined])
  const schemas = new OwnSchemas(roots.filter((schema): schema is v.GenericSchema => schema !== undefined))
  return new Map(tools.map((tool) => [tool, JSON.stringify(describe(tool, schemas))]))
}

const describe = (tool: Tool, schemas: OwnSchemas): ListedTool => {
  const { words, endpoint, isChange } = tool
  const { name, title, description } = words
  return {
    name,
    title,
    description,
    inputSchema: inputOf(tool, fieldsOf(schemas.inline(endpoint.query)), fieldsOf(schemas.inline(endpoint.body))),
    outputSchema: outputOf(tool, schemas.withDefinitions(endpoint.reply)),
    annotations: {
      title,
      readOnlyHint: !isChange,
      destructiveHint: words.destructive ?? false,
      idempotentHint: !isChange || endpoint.method === 'PUT' || endpoint.method === 'DELETE',
      openWorldHint: words.reachesOutside ?? false,
    },
  }
}

const inputOf = (tool: Tool, query: Fields, body: Fields): ListedTool['inputSchema'] => {
  const properties: Record<string, Json> = {}
  const required: string[] = []
  for (const [argument, { in: place, name }] of tool.slots) {
    if (place === 'params') {
      const meaning = neverNull(GLOSSARY[argument] ?? '')
      properties[argument] = { type: 'string', format: 'uuid', ...(meaning && { description: meaning }) }
      required.push(argument)
      continue
    }
    const fields = place === 'query' ? query : body
    properties[argument] = fields.properties[name] ?? {}
    if (fields.required.includes(name)) required.push(argument)
  }
  if (tool.isPaged) {
    const { limit } = properties
    properties.limit = { ...limit, minimum: 1, maximum: MOST_RECORDS, default: USUAL_RECORDS }
  }
  for (const name of tool.ownArguments) properties[name] = OWN_ARGUMENTS[name] as Json
  return { type: 'object', properties, required, additionalProperties: false }
}

const outputOf = (
  { words }: Tool,
  { reply, $defs }: { reply: Json; $defs: Record<string, Json> },
): ListedTool['outputSchema'] => {
  const required = Object.keys(COMMON)
  if (!words.asksBack) {
    return { type: 'object', properties: { result: reply, ...COMMON }, required: ['result', ...required], $defs }
  }
  const preview = {
    preview: { ...reply, description: 'What the result would be. Nothing is changed yet.' },
    confirmToken: { ...TEXT, description: 'Give it back with the same arguments when a person has agreed.' },
    expiresAt: { ...TEXT, format: 'date-time', description: 'Until when the token is good.' },
  }
  return { type: 'object', properties: { result: reply, ...preview, ...COMMON }, required, $defs }
}
