import * as v from 'valibot'
import { invalid, InvalidInput, Malformed, type Issue } from '#kernel/values/errors.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Upload } from '#kernel/values/media.ts'
import { uuid } from '#kernel/values/schema.ts'
import { unwrapped, MAX_ISSUES, outOfBounds, type AnySchema } from './bounds.ts'

/** The input of a request before validation. */
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

/**
 * The highest number of objects and lists in a JSON body. No endpoint needs a tenth of it. 1 MiB of JSON can contain
 * half a million objects, and parsing them takes longer than counting them.
 */
const MAX_JSON_PARTS = 20_000

/** Counts a byte in the body, and stops after MAX_JSON_PARTS. */
const countOf = (body: Buffer, byte: number): number => {
  let count = 0
  for (let at = body.indexOf(byte); at >= 0 && count <= MAX_JSON_PARTS; at = body.indexOf(byte, at + 1)) count += 1
  return count
}

/** It uses indexOf instead of a loop over all bytes: a text of 1 MiB takes a hundredth of the time. */
const hasTooManyParts = (body: Buffer): boolean => countOf(body, 0x7b) + countOf(body, 0x5b) > MAX_JSON_PARTS

/**
 * @throws MALFORMED_REQUEST for a wrong Content-Type or invalid JSON, VALIDATION_ERROR for too many objects and lists
 */
export const parseJson = ({ body, contentType }: Pick<RawInput, 'body' | 'contentType'>): unknown => {
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

/** @throws MALFORMED_REQUEST for a wrong Content-Type or invalid UTF-8 */
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

/**
 * Queries and forms contain only text. This converts a value to the type of its schema, and leaves it unchanged when it
 * does not fit.
 */
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

/** The bounds are checked first, so that a value that is too long is not validated. */
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

/** Parses and validates the input of a request. @throws MALFORMED_REQUEST, or VALIDATION_ERROR with all issues */
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
