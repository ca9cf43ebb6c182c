import { sql } from 'kysely'
import type { Database } from '#db/database.ts'

interface Shape {
  columns: Map<string, { type: string; mustBeFilled: boolean }>
  tables: Set<string>
  rules: Map<string, string>
}

const shapeOf = async ({ schema }: Database): Promise<Shape> => {
  const columns = await sql<{ name: string; of: string; type: string; required: boolean; filled: boolean }>`
    select c.relname || '.' || a.attname as name, c.relname as of,
      format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as type,
      a.attnotnull as required, a.atthasdef or a.attidentity <> '' as filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  `.execute(schema)
  const rules = await sql<{ of: string; rule: string }>`
    select conrelid::regclass::text as of, pg_get_constraintdef(oid) as rule from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'x')
    union all
    select i.indrelid::regclass::text, pg_get_indexdef(i.indexrelid) from pg_index i
      join pg_class c on c.oid = i.indrelid where i.indisunique and c.relnamespace = 'public'::regnamespace
  `.execute(schema)
  return {
    tables: new Set(columns.rows.map((column) => column.of)),
    columns: new Map(
      columns.rows.map(({ name, type, required, filled }) => [name, { type, mustBeFilled: required && !filled }]),
    ),
    rules: new Map(rules.rows.map(({ of, rule }) => [`${of}: ${rule}`, of])),
  }
}

/** The values that a rule lets into a column, from `table: CHECK ((column = ANY (ARRAY['a'::text, …])))`. */
const choicesOf = (rule: string): { column: string; values: Set<string> } | undefined => {
  const [, column, list] = /^(.*?: CHECK \(\(\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(rule) ?? []
  if (column === undefined || list === undefined) return undefined
  return { column, values: new Set(list.split(', ')) }
}

/** Whether the rule only lets more values into a column than a rule before it did. */
const isWider = (rule: string, before: Iterable<string>): boolean => {
  const choices = choicesOf(rule)
  return [...before].some((one) => {
    const had = choicesOf(one)
    return had !== undefined && had.column === choices?.column && had.values.isSubsetOf(choices.values)
  })
}

/**
 * Whether the rule holds for a column that the table did not have: whoever does not know that column leaves it empty, or at
 * its default.
 */
const isOfNewColumn = (rule: string, of: string, { columns }: Shape): boolean => {
  const chosen = / CHECK \(\((\w+)$/.exec(choicesOf(rule)?.column ?? '')?.[1] ?? ''
  const referring = / FOREIGN KEY \(([^)]*)\)/.exec(rule)?.[1] ?? ''
  return [chosen, ...referring.split(', ')].some((column) => column !== '' && !columns.has(`${of}.${column}`))
}

/**
 * Why a version of the program that knows nothing of a change to the schema could not work after it: what it reads is gone
 * or another, or what it writes is refused.
 */
export const breaksOf = async (database: Database, change: () => Promise<unknown>): Promise<string[]> => {
  const before = await shapeOf(database)
  await change()
  const after = await shapeOf(database)
  const goneTables = [...before.tables.difference(after.tables)]
  const isKept = (column: string) => !goneTables.includes(column.split('.')[0] as string)
  const columns = [...before.columns].filter(([name]) => isKept(name))
  const isKnown = (name: string) => before.tables.has(name.split('.')[0] as string)
  return [
    ...goneTables.map((table) => `${table} is gone`),
    ...columns.filter(([name]) => !after.columns.has(name)).map(([name]) => `${name} is gone`),
    ...columns
      .filter(([name, { type }]) => (after.columns.get(name)?.type ?? type) !== type)
      .map(([name]) => `${name} is another`),
    ...[...after.columns]
      .filter(([name, { mustBeFilled }]) => mustBeFilled && isKnown(name) && !before.columns.has(name))
      .map(([name]) => `${name} must be filled`),
    ...[...after.rules]
      .filter(([rule, of]) => before.tables.has(of) && !before.rules.has(rule))
      .filter(([rule, of]) => !isWider(rule, before.rules.keys()) && !isOfNewColumn(rule, of, before))
      .map(([rule, of]) => `${of} has a new rule (${rule})`),
  ]
}
