import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { migrations } from '#migrations'
import { restoreBackup } from '#app/backup/restore.ts'
import { DEFAULTS } from '#app/config/config.ts'
import { openSqlite } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { problemsOfLive } from '#db/sqlite/whole-file.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { volume } from '#kit/volume.ts'
import { makeFolder } from './folder.ts'
import { institute, spawnInstitute } from './institute.ts'

const STEPS = Object.keys(migrations)

/** A data directory whose database has only the first so many migrations. */
const withSteps = async (count: number): Promise<string> => {
  const folder = makeFolder()
  const database = openSqlite(path.join(folder, 'institute.db'))
  await migrate(database, Object.fromEntries(Object.entries(migrations).slice(0, count)))
  await database.close()
  return folder
}

const stepsIn = async (folder: string): Promise<unknown> => {
  const database = openSqlite(path.join(folder, 'institute.db'))
  const steps = database.sqlite?.prepare('select name from schema_migration order by name').pluck().all()
  await database.close()
  return steps
}

test('an upgrade makes a backup before it migrates', async () => {
  const folder = await withSteps(STEPS.length - 1)
  const { code, stdout, stderr } = await institute(['migrate', '--data-dir', folder])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Took ${STEPS.at(-1)}.\n` })
  const [name] = readdirSync(path.join(folder, 'backups'))
  expect(name).toMatch(/^before-upgrade-.*\.tar\.gz$/)
  expect(stderr).toContain(name)
  const back = makeFolder()
  const file = path.join(folder, 'backups', name as string)
  await restoreBackup({ ...DEFAULTS, dataDir: back }, systemClock, file)
  expect(await stepsIn(back)).toEqual(STEPS.slice(0, -1))
})

test('an upgrade of an empty database makes no backup', async () => {
  const folder = makeFolder()
  await institute(['migrate', '--data-dir', folder])
  expect(existsSync(path.join(folder, 'backups'))).toBe(false)
})

test('an upgrade that is killed at any moment leaves the old schema or the new one', { timeout: 60_000 }, async () => {
  const moments = volume(5, 10)
  for (let moment = 0; moment < moments; moment += 1) {
    const folder = await withSteps(1)
    const child = spawnInstitute(['migrate', '--data-dir', folder])
    const ended = once(child, 'exit')
    await Promise.race([ended, pause((900 * moment) / moments)])
    child.kill('SIGKILL')
    await ended
    expect([STEPS.slice(0, 1), STEPS]).toContainEqual(await stepsIn(folder))
    expect(problemsOfLive(path.join(folder, 'institute.db'))).toEqual([])
    expect(await institute(['migrate', '--data-dir', folder])).toMatchObject({ code: 0 })
    expect(await stepsIn(folder)).toEqual(STEPS)
  }
})

test.each([['serve', '--port', '0'], ['migrate'], ['backup']])(
  'an older program does not change a newer database: %s',
  async (...command) => {
    const folder = await withSteps(STEPS.length)
    const database = openSqlite(path.join(folder, 'institute.db'))
    database.sqlite?.exec(`insert into schema_migration values ('9999_from_the_future', '2030-01-01T00:00:00.000Z')`)
    await database.close()
    const { code, stdout, stderr } = await institute([...command, '--data-dir', folder], {
      INSTITUTE_LOG_LEVEL: 'error',
    })
    if (command[0] === 'backup') {
      // A copy needs no knowledge of the schema.
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return
    }
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^This database was used by a newer version of the program\.[^\n]*\n$/)
    expect(await stepsIn(folder)).toEqual([...STEPS, '9999_from_the_future'])
  },
)
