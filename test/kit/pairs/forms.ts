import type { LogEvent } from 'kysely'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { TestApp } from '../app.ts'
import { sendExample, worldOf, type Example, type ExampleMaker } from '../examples.ts'
import { makeInstitute } from '../institute.ts'
import { type Document, type JsonSchema, jsonSchemaOf, readDocument } from '../openapi/document.ts'
import { at, placesIn, tableOf, waysFrom, withAt, type Catalogue, type Place, type Way } from './records.ts'

/** A changing request: its example, or the example with one more value in the body. */
export interface Form {
  endpoint: Endpoint
  /** Added to the example's body. */
  extra: Readonly<Record<string, unknown>>
}

/** A record that a request names, or could name. */
export interface Naming {
  place: Place
  table: string
  /** True when the example names it; false when only the body could. */
  given: boolean
}

/** What we know about a changing endpoint after its example ran. */
export interface Learnt {
  endpoint: Endpoint
  make: ExampleMaker['make']
  forms: Form[]
  namings: Naming[]
  /** The records that the example leads to. */
  ways: Way[]
  reads: ReadonlySet<string>
  writes: ReadonlySet<string>
}

/** Tables that every change writes. */
const EVERYWHERE = new Set(['audit_entry', 'event', 'job', 'idempotency_record'])

const tablesIn = (sql: string, words: RegExp): string[] =>
  [...sql.matchAll(words)].flatMap(([, table]) => (table === undefined || EVERYWHERE.has(table) ? [] : [table]))

const deepest = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(deepest)]

const propertiesOf = (document: Document, { path, method }: Endpoint): [string, JsonSchema[]][] => {
  const schema = jsonSchemaOf(document.paths[path]?.[method.toLowerCase()]?.requestBody)
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => [name, deepest(property)])
}

/** The values of a property that make a difference: both of a flag, all of an enumeration, the smallest number. */
const telling = (schemas: JsonSchema[]): unknown[] =>
  schemas.flatMap(({ type, enum: values, minimum }) =>
    type === 'boolean' ? [true, false] : (values ?? (type === 'integer' && minimum !== undefined ? [minimum] : [])),
  )

/** `teacherStaffId` → staff: finds the longest table name at the end of a property's name. */
const tableByName = (property: string, { identified }: Catalogue): string | undefined => {
  const words = property.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return identified.filter((table) => `_${words}`.endsWith(`_${table}`)).toSorted((a, b) => b.length - a.length)[0]
}

/**
 * Runs the example of a changing endpoint, and notes the tables that it reads and writes. undefined: it cannot run
 * here.
 */
const learn = async (
  app: TestApp,
  { endpoint, make }: { endpoint: Endpoint; make: ExampleMaker['make'] },
  { catalogue, document, log }: { catalogue: Catalogue; document: Document; log: LogEvent[] },
): Promise<Learnt | undefined> => {
  const world = worldOf(app, await makeInstitute(app))
  const example: Example = await make(world)
  const namings: Naming[] = []
  for (const place of placesIn(example)) {
    const table = await tableOf(app, catalogue, at(example, place) as string)
    if (table !== undefined) namings.push({ place, table, given: true })
  }
  log.length = 0
  const reply = await sendExample(endpoint, example, example.as ?? world.owner)
  if (reply.status !== endpoint.status && !endpoint.otherStatuses.includes(reply.status)) return undefined
  const statements = log.map(({ query }) => query.sql)
  const writes = new Set(statements.flatMap((sql) => tablesIn(sql, /(?:insert into|update|delete from) "(\w+)"/g)))
  const reads = new Set(statements.flatMap((sql) => tablesIn(sql, /(?:from|join) "(\w+)"/g)))
  for (const table of writes) for (const to of Object.values(catalogue.references[table] ?? {})) reads.add(to)

  const properties = propertiesOf(document, endpoint)
  for (const [name, schemas] of properties) {
    if (at(example, `body.${name}`) !== undefined || !schemas.some(({ format }) => format === 'uuid')) continue
    const table = tableByName(name, catalogue)
    if (table !== undefined) namings.push({ place: `body.${name}`, table, given: false })
  }
  const forms = properties.flatMap(([name, schemas]) =>
    telling(schemas)
      .filter((value) => value !== at(example, `body.${name}`))
      .map((value): Form => ({ endpoint, extra: { [name]: value } })),
  )
  const ways = namings
    .filter(({ given }) => given)
    .flatMap(({ place, table }) => waysFrom(catalogue.references, place, table))
  return { endpoint, make, forms: [{ endpoint, extra: {} }, ...forms], namings, ways, reads, writes }
}

/** Tables that more than this share of the endpoints read only serve to authenticate the caller: ignore them. */
const OFTEN = 0.7

/** Learns every changing endpoint. @returns also those whose example could not run */
export const learnAll = async (
  app: TestApp,
  maker: (endpoint: Endpoint) => ExampleMaker,
  { catalogue, log }: { catalogue: Catalogue; log: LogEvent[] },
): Promise<{ learnt: Learnt[]; missing: string[] }> => {
  const document = await readDocument(app)
  const found: Learnt[] = []
  const missing: string[] = []
  for (const endpoint of app.app.endpoints) {
    if (endpoint.method === 'GET' || endpoint.closed) continue
    const one = await learn(app, { endpoint, make: maker(endpoint).make }, { catalogue, document, log })
    if (one) found.push(one)
    else missing.push(endpoint.id)
  }
  const isTelling = (table: string): boolean =>
    found.filter(({ reads }) => reads.has(table)).length < found.length * OFTEN
  const learnt = found.map((one) => ({
    ...one,
    reads: new Set([...one.reads].filter((table) => isTelling(table) || one.writes.has(table))),
  }))
  return { learnt, missing }
}

/** Whether one of them writes a table that the other writes or reads. */
export const meet = (one: Learnt, other: Learnt): boolean => {
  const touches = (a: Learnt, b: Learnt) => [...a.writes].some((table) => b.writes.has(table) || b.reads.has(table))
  return touches(one, other) || touches(other, one)
}

export const formed = (example: Example, { extra }: Form): Example => {
  let out = example
  for (const [name, value] of Object.entries(extra)) out = withAt({ body: {}, ...out }, `body.${name}`, value)
  return out
}

export const nameOf = ({ endpoint, extra }: Form): string =>
  Object.keys(extra).length === 0 ? endpoint.id : `${endpoint.id} ${JSON.stringify(extra)}`
