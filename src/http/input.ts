import * as v from 'valibot'
import { invalid, InvalidInput, Malformed, type Issue } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { Upload } from '#kernel/media.ts'
import { uuid } from '#kernel/schema.ts'
import { unwrapped, MAX_ISSUES, outOfBounds, type AnySchema } from './bounds.ts'

/** What a request brought, before anything of it is believed. */
export interface RawInput {
  params: Record<string, string>
  query: URLSearchParams
  body: Buffer
  upload: Upload | undefined
  contentType: string | undefined
}

export interface ParsedInput {
  params: unknown
  query: unknown
  body: unknown
}

/** No endpoint takes a tenth of it; JSON of 1 MiB can hold half a million objects, which take longer to make than to count. */
const MAX_JSON_PARTS = 20_000

/** How often a byte occurs; counted no further than past MOST_PARTS. */
const countOf = (body: Buffer, byte: number): number => {
  let count = 0
  for (let at = body.indexOf(byte); at >= 0 && count <= MAX_JSON_PARTS; at = body.indexOf(byte, at + 1)) count += 1
  return count
}

/** Searches and does not look at each byte: a text of 1 MiB is searched in a hundredth of the time. */
const hasTooManyParts = (body: Buffer): boolean => countOf(body, 0x7b) + countOf(body, 0x5b) > MAX_JSON_PARTS

/** @throws MALFORMED_REQUEST */
const parseJson = ({ body, contentType }: RawInput): unknown => {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw Malformed({ reason: 'The body must be sent as application/json.' })
  }
  if (hasTooManyParts(body)) throw invalid([], `Must hold at most ${MAX_JSON_PARTS} objects and lists.`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw Malformed({ reason: 'The body is not JSON.' })
  }
}

/** @throws MALFORMED_REQUEST */
const parseForm = ({ body, contentType }: RawInput): URLSearchParams => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')) {
    throw Malformed({ reason: 'The body must be sent as application/x-www-form-urlencoded.' })
  }
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw Malformed({ reason: 'The body is not text.' })
  }
}

/** A query, or a form, is text; this gives its values the types that their schema asks for, and leaves alone what does not fit. */
const coerce = (values: string[], schema: AnySchema): unknown => {
  const { type } = unwrapped(schema)
  if (type === 'array') return values
  const value = values.at(-1) as string
  if (type === 'number' && /^-?\d{1,16}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const objectOf = (query: URLSearchParams, schema: AnySchema): Record<string, unknown> => {
  const { entries = {} } = unwrapped(schema)
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]) => {
      const values = query.getAll(name)
      return values.length === 0 ? [] : [[name, coerce(values, entry)]]
    }),
  )
}

const issueOf = (issue: v.BaseIssue<unknown>): Issue => ({
  path: issue.path?.map((item) => String(item.key)) ?? [],
  message: issue.input === undefined && issue.kind === 'schema' ? 'Is required.' : issue.message,
})

/** Bounds come first: what is too long is not looked into. */
const check = (schema: v.GenericSchema, value: unknown, issues: Issue[]): unknown => {
  const found = outOfBounds(schema, value)
  if (found.length > 0) {
    for (const issue of found) issues.push(issue)
    return undefined
  }
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (!result.success) for (const issue of result.issues.slice(0, MAX_ISSUES)) issues.push(issueOf(issue))
  return result.output
}

const checkPath = (endpoint: Endpoint, params: Record<string, string>, issues: Issue[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const found: Issue[] = []
      const parsed = check(endpoint.params[name] ?? uuid, value, found)
      for (const { message } of found) issues.push({ path: [name], message })
      return [name, parsed]
    }),
  )

const parseBody = (endpoint: Endpoint, schema: v.GenericSchema, raw: RawInput): unknown => {
  if (raw.body.length === 0 && endpoint.bodyOptional) return {}
  return endpoint.takes === 'form' ? objectOf(parseForm(raw), schema) : parseJson(raw)
}

/** Reads and checks the input of a request. @throws MALFORMED_REQUEST, VALIDATION_ERROR with every issue found */
export const parseInput = (endpoint: Endpoint, raw: RawInput): ParsedInput => {
  const issues: Issue[] = []
  let body: unknown = raw.upload
  if (endpoint.body) {
    const given = parseBody(endpoint, endpoint.body, raw)
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      issues.push({ path: [], message: 'Must be a JSON object.' })
    } else {
      body = check(endpoint.body, given, issues)
    }
  }
  const params = checkPath(endpoint, raw.params, issues)
  const query = endpoint.query ? check(endpoint.query, objectOf(raw.query, endpoint.query), issues) : undefined
  if (issues.length > 0) throw InvalidInput({ issues: issues.slice(0, MAX_ISSUES) })
  return { params, query, body }
}
