import { expect, test } from 'vitest'
import { columnNameOf, namesColumn, readTable, ruleOf, withNulls } from '#db/steps/table-text.ts'

test('the definitions of a table are split correctly, whatever its quotes and parentheses contain', () => {
  const { definitions, ending } = readTable(
    `CREATE TABLE "a" ("id" text not null, "b" text default 'x, (y''' check (b <> ')'), constraint "c" check ((b) in ('(', ',')), unique ("id", "b")) strict`,
  )
  expect(definitions).toEqual([
    '"id" text not null',
    `"b" text default 'x, (y''' check (b <> ')')`,
    `constraint "c" check ((b) in ('(', ','))`,
    'unique ("id", "b")',
  ])
  expect(ending).toBe(' strict')
  expect(definitions.map(columnNameOf)).toEqual(['id', 'b', undefined, undefined])
  expect(definitions.map(ruleOf)).toEqual([undefined, undefined, 'c', undefined])
})

test.each([
  ['"a" text', '"a" text not null'],
  [`"a" text default 'not null unique'`, `"a" text default 'not null unique' not null`],
  ['"a" text unique', '"a" text not null unique'],
  ['"a" text references "not null" ("id")', '"a" text not null references "not null" ("id")'],
  ['"a" text check (a is not null)', '"a" text not null check (a is not null)'],
])('%s takes no nulls, and takes them again', (takesNull, not) => {
  expect(withNulls(takesNull, false)).toBe(not)
  expect(withNulls(not, false)).toBe(not)
  expect(withNulls(not, true)).toBe(takesNull)
  expect(withNulls(takesNull, true)).toBe(takesNull)
})

test('a rule names its own columns, not words in texts, parts of words or columns of another table', () => {
  const rule = `constraint "fk" foreign key ("tenant_id", "group_id") references "group" ("tenant", "id")`
  expect(namesColumn(rule, 'group_id')).toBe(true)
  expect(['group', 'tenant', 'id'].filter((column) => namesColumn(rule, column))).toEqual([])
  expect(namesColumn(`check (state <> 'note')`, 'note')).toBe(false)
  expect(namesColumn('check (note is null)', 'note')).toBe(true)
})
