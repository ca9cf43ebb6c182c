import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDatabase, startPostgres, type Postgres } from '#kit/postgres.ts'
import { setup } from '#kit/postgres-setup.ts'

// The first start on a machine copies 60 MB of files.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const query = async (url: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

const stayConnected = async (url: string): Promise<{ thrownOut: Promise<void> }> => {
  const client = new Client({ connectionString: url })
  // Postgres first sends the reason and then closes the connection, so there are two errors.
  const thrownOut = new Promise<void>((resolve) => client.on('error', () => resolve()))
  await client.connect()
  return { thrownOut }
}

const folderOf = async (url: string): Promise<string> => {
  const [row] = await query(url, 'show data_directory')
  return join(String(row?.data_directory), '..')
}

const answers = async (url: string): Promise<boolean> =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  )

describe('a Postgres of the tests', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  test('sorts by code point in UTF-8 and has pg_trgm', async () => {
    const { url } = await createDatabase(postgres.adminUrl)
    expect(
      await query(
        url,
        `select datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding
         from pg_database where datname = current_database()`,
      ),
    ).toEqual([{ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' }])
    await query(url, 'create extension pg_trgm')
    expect(await query(url, "select similarity('دانة', 'دانه') > 0 as alike, upper('é') as upper")).toEqual([
      { alike: true, upper: 'É' },
    ])
  })

  test('gives out databases with names of their own, empty or copied from a template', async () => {
    const template = await createDatabase(postgres.adminUrl)
    await query(template.url, 'create table pupil as select 7 as number')
    const copies = await Promise.all(
      Array.from({ length: 3 }, () => createDatabase(postgres.adminUrl, { template: template.name })),
    )
    expect(new Set(copies.map(({ name }) => name)).size).toBe(3)
    for (const { url } of copies) expect(await query(url, 'select number from pupil')).toEqual([{ number: 7 }])
    const empty = await createDatabase(postgres.adminUrl)
    await expect(query(empty.url, 'select number from pupil')).rejects.toThrow('does not exist')
  })

  test('drops a database that somebody still uses', async () => {
    const database = await createDatabase(postgres.adminUrl)
    const { thrownOut } = await stayConnected(database.url)
    await database.drop()
    await thrownOut
    expect(await answers(database.url)).toBe(false)
  })

  test('comes back from a restart at the same address with its data, and without its connections', async () => {
    const { url } = await createDatabase(postgres.adminUrl)
    await query(url, 'create table pupil as select 7 as number')
    const { thrownOut } = await stayConnected(url)
    await postgres.restart()
    await thrownOut
    expect(await query(url, 'select number from pupil')).toEqual([{ number: 7 }])
  })
})

test('a stopped Postgres is gone with its data', async () => {
  const postgres = await startPostgres()
  const folder = await folderOf(postgres.adminUrl)
  await postgres.stop()
  await postgres.stop()
  expect(await answers(postgres.adminUrl)).toBe(false)
  expect(existsSync(folder)).toBe(false)
})

test('Postgres and its data do not outlive the process that started it, not even a killed one', async () => {
  const program = `const { startPostgres } = await import('#kit/postgres.ts')
    console.log((await startPostgres()).adminUrl)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: join(import.meta.dirname, '..', '..', '..'),
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  const folder = await folderOf(url)
  child.kill('SIGKILL')
  await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false)
  expect(await answers(url)).toBe(false)
})

test('the global setup gives the run one Postgres and takes it away again', async () => {
  let adminUrl = ''
  const teardown = await setup({
    provide: (key, value) => {
      if (key === 'postgresAdminUrl') adminUrl = value
    },
  })
  expect(await answers(adminUrl)).toBe(true)
  await teardown()
  expect(await answers(adminUrl)).toBe(false)
})
