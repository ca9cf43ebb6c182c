import { expect, onTestFinished, test } from 'vitest'
import { copyToPostgres } from '#db/copies/copy-to-postgres.ts'
import type { Database, Engine } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, fillWith, schemaOf, STEPS } from './databases.ts'
import { KEPT, readKept } from './kept.ts'
import { columnsOf, fillRest } from './rows.ts'

const opened = async (engine: Engine, step: string | undefined) => {
  const one = await databaseAt(engine, step)
  onTestFinished(async () => {
    await one.database.close()
    await one.drop?.()
  })
  return one
}

/** An institute on SQLite with rows in every table, and an empty Postgres of the same schema. */
const both = async () => {
  const step = KEPT.at(-1) as string
  const source = await opened('sqlite', step)
  await fillWith(source.database, readKept(step).tables)
  await migrate(source.database, migrations)
  await fillRest(source.database, readKept(step))
  return { source, target: (await opened('postgres', STEPS.at(-1))).database }
}

/** All rows as the program reads them. */
const rowsOf = async (database: Database, tables: Iterable<string>): Promise<Record<string, string[]>> => {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await (database.read as AnyDb).selectFrom(table).selectAll().execute()
    const inOrder = rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    all[table] = inOrder.toSorted()
  }
  return all
}

test(
  'every row of every table comes into Postgres as it was, and the schema stays as it was',
  { timeout: 120_000 },
  async () => {
    const { source, target } = await both()
    const tables = [...(await columnsOf(target)).keys()]
    const before = await schemaOf(target)
    const done: number[] = []
    const { rows, tables: count } = await copyToPostgres(source.file, target, (part) => void done.push(part))
    const there = await rowsOf(source.database, tables)
    expect(await rowsOf(target, tables)).toEqual(there)
    expect(count).toBe(tables.length)
    expect(rows).toBe(Object.values(there).flat().length)
    expect(Object.keys(there).filter((table) => there[table]?.length === 0)).toEqual([])
    expect(await schemaOf(target)).toEqual(before)
    expect(done.at(-1)).toBe(1)
  },
)

test(
  'nothing comes into a Postgres that holds something, and nothing stays of a copy that fails',
  { timeout: 120_000 },
  async () => {
    const { source, target } = await both()
    const tables = [...(await columnsOf(target)).keys()]
    // A row without what it refers to: SQLite would not have taken it.
    source.database.sqlite?.pragma('foreign_keys = off')
    source.database.sqlite
      ?.prepare(`update membership set user_id = '01a20064-0000-7000-8000-999999999999' where rowid = 1`)
      .run()
    await expect(copyToPostgres(source.file, target, () => {})).rejects.toThrow(/foreign key/)
    expect(Object.values(await rowsOf(target, tables)).flat()).toEqual([])
    const [only] = readKept(KEPT.at(-1) as string).tables.user ?? []
    await fillWith(target, { user: [only as Record<string, unknown>] })
    await expect(copyToPostgres(source.file, target, () => {})).rejects.toThrow('its table user holds rows')
  },
)
