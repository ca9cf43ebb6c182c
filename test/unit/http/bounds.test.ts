import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { unwrapped, MAX_ISSUES, maxElements, outOfBounds, type AnySchema } from '#http/bodies/bounds.ts'
import { text } from '#kernel/values/schema.ts'
import { startApp } from '#kit/app.ts'

/** A notice of a provider is read from its bytes, over which it is signed; how many may come is bounded. */
const AS_BYTES = 'online-payments.notice'

const { app } = await startApp()
const inputs = app.endpoints.flatMap(({ id, body, query }) =>
  [id === AS_BYTES ? undefined : body, query].flatMap((schema) => (schema ? [[id, schema as AnySchema] as const] : [])),
)
await app.close()

/** Kinds of schemas that accept any number of values, or whose values are not checked. */
const UNBOUNDED = new Set(['record', 'map', 'set', 'unknown', 'any', 'loose_object', 'object_with_rest', 'tuple'])

const unbounded = (schema: AnySchema, path: string): string[] => {
  if (UNBOUNDED.has(schema.type) && !(schema.type === 'record' && maxElements(schema)))
    return [`${path}: ${schema.type}`]
  if (schema.wrapped) return unbounded(schema.wrapped, path)
  const { type, item } = unwrapped(schema)
  if (type === 'array') {
    const inside = unbounded(item as AnySchema, `${path}[]`)
    return maxElements(schema) ? inside : [`${path}: an array without a maximum`, ...inside]
  }
  return Object.entries(schema.entries ?? {}).flatMap(([name, inner]) => unbounded(inner, `${path}.${name}`))
}

test.each(inputs)('%s takes no list without a maximum', (id, schema) => {
  expect(unbounded(schema, id)).toEqual([])
})

describe('before a schema validates a value', () => {
  let looks = 0
  const seen = v.pipe(
    v.object({ name: text(10) }),
    v.check(() => {
      looks += 1
      return true
    }),
  )
  const schema = v.object({ items: v.optional(v.pipe(v.array(seen), v.maxLength(3, 'Must have at most 3.'))) })

  test('an array that is too long is one issue, and its elements are not checked', () => {
    const items = Array.from({ length: 4 }, () => ({ name: '\0' }))
    expect(outOfBounds(schema, { items })).toEqual([{ path: ['items'], message: 'Must have at most 3.' }])
    expect(looks).toBe(0)
  })

  test('text that cannot be kept is found where the schema names it, and nowhere else', () => {
    expect(outOfBounds(schema, { items: [{ name: 'a\0' }, { other: '\ud800' }], more: { deep: '\0' } })).toEqual([
      { path: ['items', '0', 'name'], message: 'Must not contain NUL bytes or lone surrogates.' },
    ])
  })

  test('the number of issues is limited', () => {
    const many = v.object({ items: v.pipe(v.array(v.string()), v.maxLength(1000)) })
    expect(outOfBounds(many, { items: Array.from({ length: 1000 }, () => '\0') })).toHaveLength(MAX_ISSUES)
  })
})

describe('a record', () => {
  const schema = v.object({ data: v.optional(v.pipe(v.record(v.string(), v.string()), v.maxEntries(2, 'At most 2.'))) })

  test('with too many entries is refused before they are looked at', () => {
    const data = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name ${index}`, '\0']))
    expect(outOfBounds(schema, { data })).toEqual([{ path: ['data'], message: 'At most 2.' }])
  })

  test('takes no NUL byte, neither in a name nor in a value', () => {
    const message = 'Must not contain NUL bytes or lone surrogates.'
    expect(outOfBounds(schema, { data: { 'a\0': 'x', b: 'y\0' } })).toEqual([
      { path: ['data'], message },
      { path: ['data', 'b'], message },
    ])
  })
})
