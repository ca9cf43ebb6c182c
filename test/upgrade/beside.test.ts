import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrate, NewerDatabase, pendingMigrations } from '#db/steps/migrate.ts'
import type { AnyDb, Migration } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { startApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { databaseAt, emptyDatabase, STEPS } from './databases.ts'
import { breaksOf } from './living-with.ts'

/** Two versions of the program work on one Postgres while the newer one replaces the former, process by process. */

const added: Migration = {
  up: async (db, kit) => {
    await db.schema.alterTable('branch').addColumn('color', kit.text).execute()
  },
}
const lone: Migration = {
  alone: true,
  up: async (db) => {
    await db.schema.alterTable('branch').renameColumn('color', 'paint').execute()
  },
}
const NEWER = { ...migrations, '9000_added': added }
const LONE = { ...NEWER, '9001_lone': lone }

test('a process of the former version works on, and starts again, beside a newer one', async () => {
  const app = await startApp({
    database: async () => {
      const { database, url, drop } = await databaseAt('postgres', STEPS.at(-1))
      await migrate(database, NEWER)
      expect(await pendingMigrations(database, migrations)).toEqual([])
      await database.close()
      return { url, drop: async () => drop?.() }
    },
  })
  expect((await app.get('/health/ready')).status).toBe(200)
  const { owner } = await makeInstitute(app)
  expect((await owner.post('/branches', { name: 'Harbour' })).status).toBe(201)
  await app.close()
})

test('not after a step that the newer version took alone', async () => {
  const { database, drop } = await databaseAt('postgres', STEPS.at(-1))
  await migrate(database, LONE)
  await expect(pendingMigrations(database, migrations)).rejects.toThrow(NewerDatabase)
  await expect(pendingMigrations(database, NEWER)).rejects.toThrow(NewerDatabase)
  await database.close()
  await drop?.()
})

test('nor where it has steps of its own that the database lacks, and never on a SQLite file', async () => {
  const { database, drop } = await databaseAt('postgres', STEPS.at(-1))
  await migrate(database, NEWER)
  await expect(pendingMigrations(database, { ...migrations, '9001_other': added })).rejects.toThrow(NewerDatabase)
  await database.close()
  await drop?.()
  const { database: file } = await emptyDatabase('sqlite')
  await migrate(file, NEWER)
  await expect(pendingMigrations(file, migrations)).rejects.toThrow(NewerDatabase)
  await file.close()
})

/** The last step that all versions have. */
const FIRST_VERSION = '0065_lone_steps'

describe('what the version before cannot live with is marked', () => {
  test('each step since then is, or breaks nothing', async () => {
    const { database, drop } = await databaseAt('postgres', FIRST_VERSION)
    for (const [at, step] of STEPS.entries()) {
      if (at <= STEPS.indexOf(FIRST_VERSION)) continue
      const upTo = Object.fromEntries(Object.entries(migrations).slice(0, at + 1))
      const breaks = await breaksOf(database, () => migrate(database, upTo))
      expect(migrations[step]?.alone ? [] : breaks, step).toEqual([])
    }
    await database.close()
    await drop?.()
  })

  test.each([
    ['a table that is gone', 'drop table schema_migration_alone', ['schema_migration_alone is gone']],
    [
      'a table with another name',
      'alter table schema_migration_alone rename to step',
      ['schema_migration_alone is gone'],
    ],
    ['a column that is gone', 'alter table branch drop column phone', ['branch.phone is gone']],
    [
      'a column of another type',
      'alter table schema_migration_alone alter name type varchar(9)',
      ['schema_migration_alone.name is another'],
    ],
    [
      'a column that must be filled',
      'alter table schema_migration_alone add size int not null',
      ['schema_migration_alone.size must be filled'],
    ],
    [
      'a column that must not be empty any more',
      'alter table branch alter phone set not null',
      ['branch.phone is another'],
    ],
    [
      'a new rule',
      `alter table schema_migration_alone add check (name <> '')`,
      [expect.stringContaining('schema_migration_alone has a new rule')],
    ],
    ['a new unique index', 'create unique index on branch (phone)', [expect.stringContaining('branch has a new rule')]],
    ['a new column with a default', 'alter table schema_migration_alone add size int not null default 0', []],
    [
      'a choice of values for a new column with a default',
      `alter table schema_migration_alone add kind text not null default 'a' check (kind in ('a', 'b'))`,
      [],
    ],
    ['a new column that may be empty', 'alter table schema_migration_alone add size int', []],
    ['a new table with rules of its own', 'create table more (id int primary key, size int check (size > 0))', []],
    ['a new index', 'create index on branch (phone)', []],
    [
      'a rule that lets in more',
      `alter table job drop constraint job_state_check, add check (state in ('queued', 'paused', 'running', 'done', 'dead', 'new'))`,
      [],
    ],
    [
      'a rule that lets in others',
      `alter table job drop constraint job_state_check, add check (state in ('queued', 'paused', 'running', 'done', 'new'))`,
      [expect.stringContaining('job has a new rule')],
    ],
  ])('%s', async (_, statement, breaks) => {
    const { database, drop } = await databaseAt('postgres', FIRST_VERSION)
    expect(await breaksOf(database, () => sql.raw(statement).execute(database.schema as AnyDb))).toEqual(breaks)
    await database.close()
    await drop?.()
  })
})
