import type * as v from 'valibot'
import type { Issue } from '#kernel/values/errors.ts'
import { isWellFormedText } from '#shared/text.ts'

/** The highest number of issues in one reply. */
export const MAX_ISSUES = 50

/** A valibot schema, with the members that composite schemas have. */
export type AnySchema = v.GenericSchema & {
  entries?: Record<string, AnySchema>
  item?: AnySchema
  /** Of a record: the schema of each value. */
  value?: AnySchema
  wrapped?: AnySchema
  pipe?: readonly (AnySchema & { requirement?: unknown; message?: unknown })[]
}

/** Returns the schema without `optional` and similar wrappers and without the checks that follow it in a pipe. */
export const unwrapped = (schema: AnySchema): AnySchema => {
  if (schema.wrapped) return unwrapped(schema.wrapped)
  return schema.pipe?.[0] && schema.pipe[0] !== schema ? unwrapped(schema.pipe[0]) : schema
}

/** The maximum length of an array, or number of entries of a record; undefined: the schema sets none. */
export const maxElements = (schema: AnySchema): { count: number; message: string } | undefined => {
  if (schema.wrapped) return maxElements(schema.wrapped)
  const bound = schema.pipe?.find(({ type }) => type === 'max_length' || type === 'max_entries')
  return bound && { count: bound.requirement as number, message: String(bound.message) }
}

/**
 * Finds values that must be refused before the schema is applied: arrays and records that are too long, and text that a database or
 * receiver cannot store (NUL bytes and lone surrogates). It follows the schema, so unknown fields, which are ignored,
 * cost nothing, and the length of an array is checked before its elements.
 */
export const outOfBounds = (schema: v.GenericSchema, value: unknown): Issue[] => {
  const issues: Issue[] = []
  checkValue(schema, value, [], issues)
  return issues
}

const checkValue = (schema: AnySchema, value: unknown, path: string[], issues: Issue[]): void => {
  if (issues.length >= MAX_ISSUES) return
  if (typeof value === 'string') {
    if (!isWellFormedText(value)) issues.push({ path, message: 'Must not contain NUL bytes or lone surrogates.' })
    return
  }
  if (value === null || typeof value !== 'object') return
  const { type, entries, item, value: ofRecord } = unwrapped(schema)
  if (Array.isArray(value)) {
    const max = maxElements(schema)
    if (max && value.length > max.count) issues.push({ path, message: max.message })
    else if (item)
      for (const [index, inner] of value.entries()) checkValue(item, inner, [...path, String(index)], issues)
  } else if (entries) {
    for (const [name, inner] of Object.entries(entries)) {
      if (Object.hasOwn(value, name))
        checkValue(inner, (value as Record<string, unknown>)[name], [...path, name], issues)
    }
  } else if (type === 'record' && ofRecord) checkRecord(schema, ofRecord, { value, path }, issues)
}

const checkRecord = (
  schema: AnySchema,
  ofEach: AnySchema,
  { value, path }: { value: object; path: string[] },
  issues: Issue[],
): void => {
  const names = Object.keys(value)
  const max = maxElements(schema)
  if (max && names.length > max.count) {
    issues.push({ path, message: max.message })
    return
  }
  for (const name of names) {
    checkValue(ofEach, name, path, issues)
    checkValue(ofEach, (value as Record<string, unknown>)[name], [...path, name], issues)
  }
}
