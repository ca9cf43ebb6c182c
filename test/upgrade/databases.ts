import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { inject, onTestFinished } from 'vitest'
import { openPostgres, openSqlite, type Database, type Engine, type QueryLog } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseFolder } from '#kit/database-folder.ts'
import { createDatabase } from '#kit/postgres.ts'
import type { Kept } from './kept.ts'

export const STEPS = Object.keys(migrations)
export const ENGINES: Engine[] = ['sqlite', 'postgres']

/** An empty database, or a copy of a template that nobody is connected to. */
const openedOf = async (engine: Engine, { log, template }: { log?: QueryLog | undefined; template?: string } = {}) => {
  const folder = mkdtempSync(path.join(databaseFolder(), 'institute-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'institute.db')
  const copied = template === undefined ? {} : { template }
  const postgres = engine === 'postgres' ? await createDatabase(inject('postgresAdminUrl'), copied) : undefined
  if (!postgres && template !== undefined) copyFileSync(template, file)
  const open = (): Database =>
    postgres ? openPostgres({ url: postgres.url, ...(log && { log }) }) : openSqlite(file, { log })
  return { database: open(), open, file, url: postgres?.url, drop: postgres?.drop }
}

/** An empty database. */
export const emptyDatabase = (engine: Engine, log?: QueryLog) => openedOf(engine, { log })

const templates = new Map<string, Promise<string>>()

/** The steps take half a second of the processor, so a worker takes them once. @returns a file, or a name in Postgres */
const templateAt = async (engine: Engine, upTo: number): Promise<string> => {
  const file = path.join(mkdtempSync(path.join(databaseFolder(), 'institute-template-')), 'institute.db')
  const postgres = engine === 'postgres' ? await createDatabase(inject('postgresAdminUrl')) : undefined
  const database = postgres ? openPostgres({ url: postgres.url }) : openSqlite(file)
  try {
    await migrate(database, Object.fromEntries(Object.entries(migrations).slice(0, upTo + 1)))
  } finally {
    await database.close()
  }
  return postgres?.name ?? file
}

/** A database with an earlier schema, up to and including `step`. */
export const databaseAt = async (engine: Engine, step: string | undefined) => {
  const upTo = step === undefined ? -1 : STEPS.indexOf(step)
  const key = `${engine} ${upTo}`
  const template = templates.get(key) ?? templateAt(engine, upTo)
  templates.set(key, template)
  return openedOf(engine, { template: await template })
}

export const fillWith = async (database: Database, tables: Kept['tables']): Promise<void> => {
  for (const [table, rows] of Object.entries(tables)) {
    await database.write((db) => (db as AnyDb).insertInto(table).values(rows).execute())
  }
}

/** Every table, column, index, constraint and trigger, as text that can be compared between two databases. */
export const schemaOf = async ({ engine, schema }: Database): Promise<string[]> => {
  const query =
    engine === 'sqlite'
      ? sql<{ what: string }>`select type || ' ' || name || ': ' || coalesce(sql, '') as what from sqlite_master`
      : sql<{ what: string }>`
          select table_name || '.' || column_name || ': ' || data_type || ' ' || is_nullable || coalesce(column_default, '')
            as what from information_schema.columns where table_schema = 'public'
          union all select indexdef from pg_indexes where schemaname = 'public'
          union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
            where connamespace = 'public'::regnamespace
          union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`
  const { rows } = await query.execute(schema)
  return rows.map(({ what }) => what).toSorted()
}
