import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { inject, onTestFinished } from 'vitest'
import { openPostgres, openSqlite, type Database, type Engine, type QueryLog } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { createDatabase } from '#kit/postgres.ts'
import type { Kept } from './kept.ts'

export const STEPS = Object.keys(migrations)
export const ENGINES: Engine[] = ['sqlite', 'postgres']

/** An empty database. */
export const emptyDatabase = async (engine: Engine, log?: QueryLog) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'institute.db')
  const postgres = engine === 'postgres' ? await createDatabase(inject('postgresAdminUrl')) : undefined
  const open = (): Database =>
    postgres ? openPostgres({ url: postgres.url, ...(log && { log }) }) : openSqlite(file, { log })
  return { database: open(), open, file, url: postgres?.url, drop: postgres?.drop }
}

/** A database with an earlier schema, up to and including `step`. */
export const databaseAt = async (engine: Engine, step: string | undefined) => {
  const opened = await emptyDatabase(engine)
  const upTo = step === undefined ? -1 : STEPS.indexOf(step)
  await migrate(opened.database, Object.fromEntries(Object.entries(migrations).slice(0, upTo + 1)))
  return opened
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
