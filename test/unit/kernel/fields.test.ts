import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { columnOf, fieldOf, shows } from '#kernel/values/fields.ts'

describe('fields and columns', () => {
  test.each([
    ['id', 'id'],
    ['startsOn', 'starts_on'],
    ['effectiveRateLimitPerMin', 'effective_rate_limit_per_min'],
  ])('%s is the column %s, and back', (field, column) => {
    expect(columnOf(field)).toBe(column)
    expect(fieldOf(column)).toBe(field)
  })
})

describe('shows', () => {
  const Person = v.object({
    id: v.string(),
    firstName: v.string(),
    fullName: v.string(),
    phone: v.nullable(v.string()),
  })
  const toPerson = shows(Person, { fullName: (row: { last_name: string }) => `Dr. ${row.last_name}` })

  test('takes each field from the column of its name, or makes it, and nothing else', () => {
    const row = { phone: null, last_name: 'Levi', first_name: 'Noa', id: '1', password_hash: 'never shown' }
    expect(toPerson(row)).toEqual({ id: '1', firstName: 'Noa', fullName: 'Dr. Levi', phone: null })
  })
})
