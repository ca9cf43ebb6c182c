import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '#db/database.ts'
import { migrate, pendingMigrations } from '#db/steps/migrate.ts'
import { migrations } from '#migrations'
import { client } from '#kit/client.ts'
import { createDatabase, startPostgres, type Postgres } from '#kit/postgres.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { makeFolder } from './folder.ts'
import { institute, startProgram } from './institute.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const move = (dataDir: string, url?: string) =>
  institute(['database', 'move', '--data-dir', dataDir], url === undefined ? {} : { INSTITUTE_DATABASE_URL: url })

/** A data directory whose institute has a student, and whose program has ended. */
const onSqlite = async (): Promise<string> => {
  const dataDir = makeFolder()
  const server = await startProgram(dataDir)
  const outside = client(`${server.url}`)
  const { body } = await outside.post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))
  const owner = outside.as(body.accessToken)
  const [{ id: branchId }] = (await owner.get('/branches')).body
  await owner.post('/students', { branchId, firstName: 'ליאן', lastName: 'חדד' })
  await server.stop('SIGTERM')
  return dataDir
}

describe('institute database move', { timeout: 120_000 }, () => {
  test('brings the institute into Postgres, where it works on with its keys, and sets the file aside', async () => {
    const dataDir = await onSqlite()
    const { url } = await createDatabase(postgres.adminUrl)
    const { code, stdout, stderr } = await move(dataDir, url)
    expect({ code, stderr: stderr.split('\n').filter((line) => !line.endsWith('%')) }).toEqual({
      code: 0,
      stderr: [expect.stringMatching(/^The SQLite database lies in .*moved-.*\.db: remove it once all is well\.$/), ''],
    })
    expect(stdout).toMatch(
      /^Moved: \d+ rows of \d+ tables\. Start the program with the same INSTITUTE_DATABASE_URL\.\n$/,
    )
    expect(readdirSync(dataDir).filter((name) => name.startsWith('institute.db'))).toEqual([])

    const server = await startProgram(dataDir, { INSTITUTE_DATABASE_URL: url })
    const { email, password } = OWNER
    const outside = client(`${server.url}`)
    const signedIn = await outside.post('/auth/login', { email, password, client: 'mobile' })
    const owner = outside.as(signedIn.body.accessToken)
    expect((await owner.get('/students?q=%D7%9C%D7%99%D7%90%D7%9F')).body.data).toMatchObject([{ firstName: 'ליאן' }])
    await server.stop('SIGTERM')

    // Without the setting, the program does not begin anew beside the keys.
    const without = await institute(['serve', '--port', '0', '--data-dir', dataDir])
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('its database') })
    expect((await move(dataDir, url)).stderr).toMatch(/There is no SQLite database in .*: nothing is to be moved\./)
  })

  test('changes nothing where the program runs, where the settings name no Postgres, or one that is in use', async () => {
    const dataDir = await onSqlite()
    expect(await move(dataDir)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /The settings name no Postgres: set INSTITUTE_DATABASE_URL to an empty database\.\n$/,
      ),
    })
    const used = await createDatabase(postgres.adminUrl)
    const other = await startProgram(makeFolder(), {
      INSTITUTE_DATABASE_URL: used.url,
      INSTITUTE_MODE: 'cloud',
      INSTITUTE_MASTER_KEY: Buffer.alloc(32, 'a').toString('base64url'),
    })
    await other.stop('SIGTERM')
    expect(await move(dataDir, used.url)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is in use: its table \w+ holds rows\. Make an empty one for this\./),
    })
    const former = await createDatabase(postgres.adminUrl)
    const database = openPostgres({ url: former.url })
    onTestFinished(() => database.close())
    await migrate(database, Object.fromEntries(Object.entries(migrations).slice(0, -1)))
    expect(await move(dataDir, former.url)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is in use: it belongs to another version of the program\. Make an empty one/),
    })
    expect((await pendingMigrations(database, migrations)).length).toBe(1)
    const { host, pathname } = new URL(used.url)
    expect((await move(dataDir, `postgres://nobody:wrong@${host}${pathname}`)).stderr).not.toContain('wrong')
    const server = await startProgram(dataDir)
    const { url } = await createDatabase(postgres.adminUrl)
    const running = await move(dataDir, url)
    expect(running.code).toBe(1)
    expect(running.stderr).toMatch(/in use|stop/i)
    await server.stop('SIGTERM')
    expect(existsSync(path.join(dataDir, 'institute.db'))).toBe(true)
  })
})
