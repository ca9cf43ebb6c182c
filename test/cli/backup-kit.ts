import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeBackup, type Backup } from '#app/backup/make.ts'
import { restoreBackup } from '#app/backup/restore.ts'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { openSqlite } from '#db/database.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { makeFolder } from './folder.ts'

export const CONFIGURATION = 'INSTITUTE_PORT=8123\n'

export const configOf = (dataDir: string, more: Partial<Config> = {}): Config => ({ ...DEFAULTS, dataDir, ...more })

export const restoreInto = (dataDir: string, file: string, more?: Partial<Config>) =>
  restoreBackup(configOf(dataDir, more), systemClock, file)

export interface BackedUp {
  app: TestApp
  school: TestInstitute
  backup: Backup
  /** A stopped install with one student of its own, before any restore. */
  stopped: string
}

/** An institute with one student, a mail, a configuration, and a backup. */
export const backedUp = async (): Promise<BackedUp> => {
  const app = await startApp()
  const school = await makeInstitute(app)
  await school.owner.post('/students', {
    branchId: school.branchId,
    firstName: 'نور',
    lastName: 'before the backup',
  })
  mkdirSync(path.join(app.dataDir, 'mail-outbox'))
  writeFileSync(path.join(app.dataDir, 'mail-outbox/one.eml'), 'a mail')
  writeFileSync(path.join(app.dataDir, 'institute.conf'), CONFIGURATION)
  const backup = await makeBackup(app.app.config, systemClock)
  const stopped = makeFolder()
  await restoreInto(stopped, backup.file)
  return { app, school, backup, stopped }
}

export const copyOf = (folder: string): string => {
  const copy = makeFolder()
  execFileSync('cp', ['-a', `${folder}/.`, copy])
  return copy
}

/** What a restore must bring back: every student's name, and the sums of the ledger. */
export const stateOf = async (dataDir: string) => {
  const database = openSqlite(path.join(dataDir, 'institute.db'))
  try {
    const students = await database.read
      .selectFrom('student')
      .select(['student_number', 'last_name'])
      .orderBy('student_number')
      .execute()
    const { paid } = await database.read
      .selectFrom('payment')
      .select((eb) => eb.fn.sum<number | null>('amount_minor').as('paid'))
      .executeTakeFirstOrThrow()
    const { entries } = await database.read
      .selectFrom('audit_entry')
      .select((eb) => eb.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    return { students, paid, entries }
  } finally {
    await database.close()
  }
}
