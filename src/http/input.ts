import * as v from 'valibot'
import { InvalidInput, Malformed, type Issue } from '#kernel/errors.ts'
import { isWellFormedText } from '#kernel/text.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import { uuid } from '#kernel/schema.ts'

/** What a request brought, before anything of it is believed. */
export interface RawInput {
  params: Record<string, string>
  query: URLSearchParams
  body: Buffer
  contentType: string | undefined
}

export interface ParsedInput {
  params: unknown
  query: unknown
  body: unknown
}

const MAX_ISSUES = 50

/** No input is nested as deep; JSON of 1 MiB can be, deeper than the stack. */
const MAX_DEPTH = 32

/**
 * Says where text stands that no database or receiver could keep: NUL bytes and lone surrogates (decisions 1.4), and
 * where values are nested too deep to be looked through.
 */
const findBrokenText = (value: unknown, path: string[], issues: Issue[]): void => {
  if (path.length > MAX_DEPTH) {
    issues.push({ path, message: `Must not be nested deeper than ${MAX_DEPTH} levels.` })
  } else if (typeof value === 'string') {
    if (!isWellFormedText(value)) issues.push({ path, message: 'Must not contain NUL bytes or lone surrogates.' })
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => findBrokenText(item, [...path, String(index)], issues))
  } else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      if (!isWellFormedText(name)) issues.push({ path, message: 'Must not contain NUL bytes or lone surrogates.' })
      findBrokenText(item, [...path, name], issues)
    }
  }
}

/** @throws MALFORMED_REQUEST */
const parseJson = ({ body, contentType }: RawInput): unknown => {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw Malformed({ reason: 'The body must be sent as application/json.' })
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw Malformed({ reason: 'The body is not JSON.' })
  }
}

type AnySchema = v.GenericSchema & {
  entries?: Record<string, AnySchema>
  wrapped?: AnySchema
  pipe?: readonly AnySchema[]
}

const inner = (schema: AnySchema): AnySchema => {
  if (schema.wrapped) return inner(schema.wrapped)
  return schema.pipe?.[0] && schema.pipe[0] !== schema ? inner(schema.pipe[0]) : schema
}

/** A query is text; this gives its values the types that their schema asks for, and leaves alone what does not fit. */
const coerce = (values: string[], schema: AnySchema): unknown => {
  const { type } = inner(schema)
  if (type === 'array') return values
  const value = values.at(-1) as string
  if (type === 'number' && /^-?\d{1,16}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const queryObject = (query: URLSearchParams, schema: AnySchema): Record<string, unknown> => {
  const { entries = {} } = inner(schema)
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]) => {
      const values = query.getAll(name)
      return values.length === 0 ? [] : [[name, coerce(values, entry)]]
    }),
  )
}

const issuesOf = (issues: readonly v.BaseIssue<unknown>[]): Issue[] =>
  issues.map((issue) => ({
    path: issue.path?.map((item) => String(item.key)) ?? [],
    message: issue.input === undefined && issue.kind === 'schema' ? 'Is required.' : issue.message,
  }))

const check = (schema: v.GenericSchema, value: unknown, issues: Issue[]): unknown => {
  findBrokenText(value, [], issues)
  const result = v.safeParse(schema, value)
  if (!result.success) issues.push(...issuesOf(result.issues))
  return result.output
}

const checkPath = (endpoint: Endpoint, params: Record<string, string>, issues: Issue[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const found: Issue[] = []
      const parsed = check(endpoint.params[name] ?? uuid, value, found)
      issues.push(...found.map((issue) => ({ path: [name], message: issue.message })))
      return [name, parsed]
    }),
  )

/** Reads and checks the input of a request. @throws MALFORMED_REQUEST, VALIDATION_ERROR with every issue found */
export const parseInput = (endpoint: Endpoint, raw: RawInput): ParsedInput => {
  const issues: Issue[] = []
  let body: unknown
  if (endpoint.body) {
    const given = raw.body.length === 0 && endpoint.bodyOptional ? {} : parseJson(raw)
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      issues.push({ path: [], message: 'Must be a JSON object.' })
    } else {
      body = check(endpoint.body, given, issues)
    }
  }
  const params = checkPath(endpoint, raw.params, issues)
  const query = endpoint.query ? check(endpoint.query, queryObject(raw.query, endpoint.query), issues) : undefined
  if (issues.length > 0) throw InvalidInput({ issues: issues.slice(0, MAX_ISSUES) })
  return { params, query, body }
}
