import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/**
 * The types of the API for the console: what its requests send and what a success answers, without the prose, and the
 * codes and reasons of all refusals. What programs alone ask is left out.
 */

type Json = Record<string, unknown>

const PROSE = ['description', 'summary', 'title', 'pattern', 'example', 'examples']

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, member]) => !(PROSE.includes(key) && typeof member === 'string'))
  return Object.fromEntries(kept.map(([key, member]) => [key, plain(member)]))
}

/** Visits every member of a document. */
const walk = (value: unknown, visit: (key: string, member: unknown) => void): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    visit(key, member)
    walk(member, visit)
  }
}

interface Operation {
  parameters?: Json[]
  requestBody?: Json
  responses: Record<string, Json>
}

const OTHERS = /^\/(?:\/|platform\/licenses\/heartbeat|public)/

/** @param source the document of the whole API, as JSON */
const reduced = (source: string): { document: Json; codes: string[]; reasons: string[] } => {
  const whole = JSON.parse(source) as {
    openapi: string
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Json; parameters: Json }
  }
  const codes = new Set<string>()
  const reasons = new Set<string>()
  const operation = ({ parameters = [], requestBody, responses }: Operation): Json => {
    const done: Json = {}
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith('2')) done[status] = { description: '', content: response.content }
      else {
        for (const [, code = ''] of String(response.description).matchAll(/^([A-Z_]+): /gm)) codes.add(code)
        walk(response, (key, member) => {
          if (key === 'reason') for (const reason of (member as { enum?: string[] }).enum ?? []) reasons.add(reason)
        })
      }
    }
    const inAddress = parameters.filter((parameter) => parameter.in !== 'header')
    return { parameters: inAddress, ...(requestBody && { requestBody }), responses: done }
  }
  const paths = Object.fromEntries(
    Object.entries(whole.paths)
      .filter(([address]) => !OTHERS.test(address))
      .map(([address, item]) => [
        address,
        Object.fromEntries(
          Object.entries(item).map(([method, it]) => [method, method === 'parameters' ? it : operation(it)]),
        ),
      ]),
  )
  const used = new Set<string>()
  const mark = (value: unknown): void =>
    walk(value, (key, member) => {
      const name = key === '$ref' ? /^#\/components\/schemas\/(.+)$/.exec(String(member))?.[1] : undefined
      if (name === undefined || used.has(name)) return
      used.add(name)
      mark(whole.components.schemas[name])
    })
  mark(paths)
  const schemas = Object.fromEntries(Object.entries(whole.components.schemas).filter(([name]) => used.has(name)))
  const components = { schemas, parameters: whole.components.parameters }
  const document = plain({ openapi: whole.openapi, info: { version: '' }, paths, components }) as Json
  return {
    document: { ...document, info: { title: '', version: '' } },
    codes: [...codes].toSorted(),
    reasons: [...reasons].toSorted(),
  }
}

interface Property {
  anyOf?: Property[]
  type?: string
  minLength?: number
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  format?: string
}

/**
 * What a form may check of a field before it is sent; the server checks the rest.
 * @param isChange whether its schema changes a record: it may leave a field out, and empties none that is never empty
 */
const boundOf = (property: Property, isNamed: boolean, isChange: boolean): Json | undefined => {
  const {
    type,
    minLength = 0,
    maxLength,
    maxItems,
    minimum,
    maximum,
    format,
  } = property.anyOf?.find(({ type: of }) => of !== 'null') ?? property
  const isNumber = type === 'integer' || type === 'number'
  const isNeverEmpty = property.anyOf === undefined && (minLength > 0 || isNumber)
  const isRequired = isNamed || (isChange && isNeverEmpty)
  const bound = {
    ...(isRequired && { isRequired }),
    // A text that has to hold one letter is a required one.
    ...(minLength > 1 && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(maxItems !== undefined && { maxItems }),
    ...(isNumber && { min: minimum, max: maximum }),
    ...(type === 'integer' && { isWhole: true }),
    ...(format === 'email' && { isEmail: true }),
  }
  return Object.keys(bound).length === 0 ? undefined : bound
}

/**
 * @param source the document of the whole API, as JSON
 * @param names of the schemas that forms send
 * @returns the text of src/console/api/bounds.ts
 */
export const consoleBounds = (source: string, names: readonly string[]): string => {
  const { schemas } = (
    JSON.parse(source) as {
      components: { schemas: Record<string, { properties: Record<string, Property>; required?: string[] }> }
    }
  ).components
  const written = (bound: Json): string =>
    Object.entries(bound)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(', ')
  const lines = [...new Set(names)].toSorted().flatMap((name) => {
    const { properties = {}, required = [] } = schemas[name] ?? {}
    const bounds = Object.entries(properties).flatMap(([field, property]) => {
      const bound = boundOf(property, required.includes(field), name.endsWith('Changes'))
      return bound ? `    ${field}: { ${written(bound)} },` : []
    })
    return [`  ${name}: {`, ...bounds, '  },']
  })
  return `// What the API takes in each field of a form, made from its document by \`npm test -- -u\`.

/** What can be checked of a field before it is sent. Lengths are in letters, without the spaces around them. */
export interface Bound {
  isRequired?: boolean
  minLength?: number
  maxLength?: number
  maxItems?: number
  min?: number
  max?: number
  isWhole?: boolean
  isEmail?: boolean
}

/** By the schemas that forms send, and their fields. */
export const BOUNDS = {
${lines.join('\n')}
} as const satisfies Record<string, Record<string, Bound>>
`
}

/** @returns the text of src/console/api/contract.d.ts */
export const consoleTypes = (source: string): string => {
  const { document, codes, reasons } = reduced(source)
  const folder = mkdtempSync(path.join(tmpdir(), 'console-types-'))
  try {
    const [from, to] = [path.join(folder, 'document.json'), path.join(folder, 'types.d.ts')]
    writeFileSync(from, JSON.stringify(document))
    execFileSync(process.execPath, [path.join(import.meta.dirname, 'client-types.process.ts'), from, to])
    const types = readFileSync(to, 'utf8').replaceAll(/^ *\/\*\*[^*]*\*\/\n/gm, '')
    const union = (words: string[]): string => words.map((word) => `  | '${word}'`).join('\n')
    return `// The types of the API, made from its document by \`npm test -- -u\`.
${types}
/** The \`error.code\` of refusals. */
export type Code =
${union(codes)}

/** The \`details.reason\` of refusals. */
export type Reason =
${union(reasons)}
`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
