import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { migrateDatabase } from '#app/program.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import type { Migration } from '#db/schema-kit.ts'
import { databaseAt, STEPS } from '../upgrade/databases.ts'

vi.mock(import('#migrations'), async (original) => {
  const lone: Migration = {
    alone: true,
    up: async (db) => {
      await db.schema.alterTable('branch').renameColumn('phone', 'telephone').execute()
    },
  }
  const { migrations } = await original()
  return { migrations: { ...migrations, '9001_lone': lone } }
})

const onDatabaseBefore = async (mode: Config['mode']) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-alone-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { database, url, drop } = await databaseAt('postgres', STEPS.at(-2))
  await database.close()
  onTestFinished(async () => drop?.())
  return { ...DEFAULTS, mode, dataDir, databaseUrl: url } satisfies Config
}

test('a step with which the version before cannot live is refused in a cloud, unless told that it runs alone', async () => {
  const config = await onDatabaseBefore('cloud')
  const refused = await migrateDatabase(config, false).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Mistake)
  expect((refused as Error).message).toBe(
    'The version before cannot work on the database after 9001_lone. Stop every process that uses the database, run institute migrate --alone once, and start them with this version. Nothing was changed.',
  )
  expect(await migrateDatabase(config, true)).toEqual({ taken: ['9001_lone'], backup: undefined })
  expect(await migrateDatabase(config, false)).toEqual({ taken: [], backup: undefined })
})

test('a server of its own takes it by itself: there is no other process', async () => {
  const config = await onDatabaseBefore('self_hosted')
  expect(await migrateDatabase(config, false)).toEqual({ taken: ['9001_lone'], backup: undefined })
})
