import { CompiledQuery } from 'kysely'
import type { TestApp } from '../app.ts'
import type { Example } from '../examples.ts'

/** For each table, its foreign keys: column → table. */
export type References = Readonly<Record<string, Readonly<Record<string, string>>>>

const FOREIGN_KEYS = {
  postgres: `select conrelid::regclass::text as "from", confrelid::regclass::text as "to", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
  sqlite: `select m.name as "from", f."table" as "to", f."from" as "column"
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`,
}
const COLUMNS = {
  postgres: `select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public'`,
  sqlite: `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and m.sql not like 'create virtual%'`,
}

/** The tables as the database describes them. */
export interface Catalogue {
  references: References
  columns: readonly { table: string; column: string }[]
  /** Tables with an id column. */
  identified: readonly string[]
}

export const query = async <Row>({ app }: TestApp, sql: string): Promise<Row[]> =>
  (await app.database.read.executeQuery<Row>(CompiledQuery.raw(sql))).rows

export const readCatalogue = async (app: TestApp): Promise<Catalogue> => {
  const { engine } = app.app.database
  const references: Record<string, Record<string, string>> = {}
  for (const { from, to, column } of await query<{ from: string; to: string; column: string }>(
    app,
    FOREIGN_KEYS[engine],
  )) {
    const table = from.replaceAll('"', '')
    // Skip tenant_id, which every record has.
    if (column !== 'tenant_id') references[table] = { ...references[table], [column]: to.replaceAll('"', '') }
  }
  const columns = await query<{ table: string; column: string }>(app, COLUMNS[engine])
  const known = columns.filter(({ table }) => table in app.app.runtime.rules)
  const identified = known.flatMap(({ table, column }) => (column === 'id' ? [table] : []))
  return { references, columns: known, identified }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Finds the table of a record. */
export const tableOf = async (app: TestApp, { identified }: Catalogue, id: string): Promise<string | undefined> => {
  const parts = identified.map((table) => `select '${table}' as name from "${table}" where id = '${id}'`)
  const [row] = await query<{ name: string }>(app, parts.join(' union all '))
  return row?.name
}

/** Where an example names a record, as a path: `params.id`, `body.entries.0.studentId`. */
export type Place = string

export const at = (example: unknown, place: Place): unknown =>
  place.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], example)

/** The paths of all ids in the example. */
export const placesIn = ({ params, body }: Example): Place[] => {
  const found: Place[] = []
  const look = (value: unknown, place: Place): void => {
    if (typeof value === 'string' && UUID.test(value)) found.push(place)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) look(inner, `${place}.${key}`)
    }
  }
  look(params, 'params')
  look(body, 'body')
  return found
}

/** The example with another value at a path. */
export const withAt = <T>(example: T, place: Place, value: unknown): T => {
  const [key, ...rest] = place.split('.') as [string, ...string[]]
  const copy = (Array.isArray(example) ? [...example] : { ...example }) as Record<string, unknown>
  copy[key] = rest.length === 0 ? value : withAt(copy[key], rest.join('.'), value)
  return copy as T
}

/**
 * A record that an example leads to: the one at `place`, or one that it belongs to, by these columns one after another.
 */
export interface Way {
  table: string
  place: Place
  columns: readonly { of: string; column: string }[]
}

/** The record at `place`, and the records that it belongs to. */
export const waysFrom = (references: References, place: Place, table: string): Way[] => {
  const ways: Way[] = []
  const follow = (way: Way): void => {
    if (way.columns.length > 4) return
    ways.push(way)
    for (const [column, to] of Object.entries(references[way.table] ?? {})) {
      follow({ table: to, place, columns: [...way.columns, { of: way.table, column }] })
    }
  }
  follow({ table, place, columns: [] })
  return ways
}

/** The id of the record; undefined: there is none. */
export const follow = async (app: TestApp, example: Example, { place, columns }: Way): Promise<string | undefined> => {
  let id = at(example, place) as string | null | undefined
  for (const { of, column } of columns) {
    if (!id) return undefined
    const [row] = await query<{ id: string | null }>(app, `select "${column}" as id from "${of}" where id = '${id}'`)
    id = row?.id
  }
  return id ?? undefined
}

/**
 * `tries` counts attempts, successful or not; `sequence` the commands of one vendor to all servers; `last_used_at` is
 * stored beside the requests.
 */
const NOT_COMPARED = new Set(
  'before after metadata body ip request_id key_prefix tries sequence last_used_at'.split(' '),
)

/** Removes what differs between two institutes with the same history: ids, also as names, instants, random values. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value === 'string') return /\d/.test(value) || /^\S{30,}$/.test(value) ? '*' : value
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner], index) =>
      NOT_COMPARED.has(key) ? [] : [[UUID.test(key) ? `* ${index}` : key, shapeOf(inner)]],
    ),
  )
}

/** Tables without tenant_id, and how their rows belong to an institute. */
const OWN: Record<string, string> = {
  tenant: 'id = $',
  user: 'id in (select user_id from membership where tenant_id = $)',
  event: 'tenant_id = $',
  auth_session: 'tenant_id = $',
}

/** Every row of the institute, without the values that differ between institutes with the same history. */
export const stateOf = async (app: TestApp, tenantId: string): Promise<string[]> => {
  const { runtime, database } = app.app
  const inTenant = Object.entries(runtime.rules).flatMap(([table, { kind }]) => (kind === 'tenant' ? [table] : []))
  const rowsOf = Object.entries({ ...Object.fromEntries(inTenant.map((table) => [table, 'tenant_id = $'])), ...OWN })
  const asked = rowsOf.map(([table, rows]) => [table, `"${table}" as r where ${rows.replace('$', `'${tenantId}'`)}`])
  const found =
    database.engine === 'postgres'
      ? await query<{ name: string; row: object }>(
          app,
          asked.map(([table, rows]) => `select '${table}' as name, to_json(r) as row from ${rows}`).join(' union all '),
        )
      : (
          await Promise.all(
            asked.map(async ([name, rows]) =>
              (await query<object>(app, `select * from ${rows}`)).map((row) => ({ name, row })),
            ),
          )
        ).flat()
  return found.map(({ name, row }) => `${name} ${JSON.stringify(shapeOf(row))}`).toSorted()
}
