import { expect, test } from 'vitest'
import { consoleBounds } from '#kit/console-types.ts'

const text = { type: 'string', minLength: 1, maxLength: 50 }
const number = { type: 'integer', minimum: 1, maximum: 31 }
const properties = {
  name: text,
  code: { type: 'string', minLength: 10 },
  mail: { type: 'string', format: 'email' },
  note: { anyOf: [text, { type: 'null' }] },
  day: { anyOf: [number, { type: 'null' }] },
  days: number,
  lines: { type: 'array', maxItems: 200 },
  kind: { $ref: '#/components/schemas/Kind' },
}
const schemas = {
  NewThing: { properties, required: ['name', 'kind'] },
  ThingChanges: { properties },
  Other: { properties: { name: text } },
}
const document = JSON.stringify({ components: { schemas } })

test('the bounds of a form are those of the schemas that it names, and of no others', () => {
  const bounds = consoleBounds(document, ['NewThing', 'NewThing'])
  expect(bounds).toContain('  NewThing: {\n    name: { isRequired: true, maxLength: 50 },')
  for (const line of [
    'code: { minLength: 10 },',
    'mail: { isEmail: true },',
    'note: { maxLength: 50 },',
    'day: { min: 1, max: 31, isWhole: true },',
    'lines: { maxItems: 200 },',
    'kind: { isRequired: true },',
  ])
    expect(bounds).toContain(`\n    ${line}\n`)
  expect(bounds.match(/NewThing: \{/g)).toHaveLength(1)
  expect(bounds).not.toContain('Other')
})

test('a change empties no field that is never empty, and may empty the others', () => {
  const bounds = consoleBounds(document, ['ThingChanges'])
  for (const line of [
    'name: { isRequired: true, maxLength: 50 },',
    'days: { isRequired: true, min: 1, max: 31, isWhole: true },',
    'note: { maxLength: 50 },',
    'day: { min: 1, max: 31, isWhole: true },',
  ])
    expect(bounds).toContain(`\n    ${line}\n`)
})
