import { lstatSync, openSync, closeSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#migrations'
import { pendingMigrations } from '#db/steps/migrate.ts'
import { assertPostgresWorks, problemsOfPostgres } from '#db/postgres/postgres-check.ts'
import { problemsOfLive } from '#db/sqlite/whole-file.ts'
import type { Database } from '#db/database.ts'
import { SYSTEM } from '#executable/system-words.ts'
import { passed, warning, wrong, type Check, type CheckResult } from '#kernel/contract/check.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { lookAtBackupBucket } from '#app/backup/bucket.ts'
import { BACKUPS, BEGUN, DATABASE, FILES, MASTER_KEY } from '#app/data-dir/layout.ts'
import { openDatabase } from '#app/open-database.ts'
import type { Config } from '#app/config/config.ts'
import { assertDatabase, assertNotEmptied } from '#app/data-dir/data-dir.ts'
import { isInUse } from '#app/data-dir/data-lock.ts'
import { damaged } from '#app/explain/database-trouble.ts'
import { explained, foreignKey } from '#app/explain/explain.ts'
import { brokenFolder, giveBack } from '#app/trouble/file-trouble.ts'
import { THIS_MACHINE } from '#app/process/own-hosts.ts'
import { openServicesReadOnly, outboundPolicy } from '#app/services.ts'
import { hasSecrets, keyOpens } from '#app/data-dir/key-check.ts'
import { hasMasterKey, masterKey } from '#app/data-dir/master-key.ts'
import { letsOthersIn, openToOthers } from '#app/trouble/rights.ts'
import { allModules } from '#app/modules.ts'
import { loadNative } from '#app/data-dir/native.ts'
import { isService, startCommand } from '#app/explain/command-line.ts'
import { userName } from '#app/trouble/user-names.ts'
import {
  checkAddress,
  checkBackups,
  checkClock,
  checkDisk,
  checksOf,
  checkVendor,
  findingsOf,
  hasSchemaOfToday,
  notLooked,
  UNSEEN,
  withoutDot,
  type Finding,
  type Look,
  type Patient,
} from '#app/server/checks.ts'

const checkProgram = async ({ config }: Patient): Promise<CheckResult> =>
  isInUse(config.dataDir).then(
    (isRunning) => {
      if (!isRunning) return warning(`is not running: ${startCommand(config)}`)
      return passed(`is running${isService(config) ? `; its log: ${SYSTEM.log}` : ''}`)
    },
    // The checks of the folder and the disk report the reason.
    () => warning('whether it is running cannot be seen'),
  )

/** Lists what in the data directory belongs to another user than the directory itself: usually what root copied. */
const strangers = (dataDir: string, owner: number): string[] =>
  readdirSync(dataDir).filter((name) => lstatSync(path.join(dataDir, name)).uid !== owner)

/** @throws the system's error where the disk is read-only or the files belong to somebody else */
const assertWritable = (dataDir: string): void => {
  const always = [BEGUN, MASTER_KEY].map((name) => path.join(dataDir, name))
  const file = always.find((name) => statSync(name, { throwIfNoEntry: false }))
  if (file !== undefined) closeSync(openSync(file, 'r+'))
}

const checkFolder = async ({ config: { dataDir } }: Patient): Promise<CheckResult> => {
  const broken = [FILES, BACKUPS].map((name) => brokenFolder(path.join(dataDir, name), dataDir)).find(Boolean)
  if (broken !== undefined) return wrong(broken)
  const { uid } = statSync(dataDir)
  const [stranger] = strangers(dataDir, uid)
  if (stranger !== undefined) {
    return wrong(
      `${path.join(dataDir, stranger)} does not belong to ${userName(uid)}, as its folder does: ${giveBack(dataDir, uid)}`,
    )
  }
  assertWritable(dataDir)
  const open = openToOthers(dataDir)
  if (open !== undefined) return wrong(open)
  return passed(SYSTEM.folderOf(dataDir, userName(uid)))
}

const checkDatabase = async ({ config, database }: Patient): Promise<CheckResult> => {
  if (database instanceof Error) return wrong(withoutDot(database.message))
  const { dataDir } = config
  if (database.engine === 'sqlite') {
    const problems = problemsOfLive(path.join(dataDir, DATABASE))
    if (problems.length > 0) return wrong(damaged(dataDir, problems.join('; ')))
  } else {
    const problems = await problemsOfPostgres(database)
    if (problems.length > 0) return wrong(problems.join('; '))
  }
  const pending = await pendingMigrations(database, migrations)
  return pending.length === 0
    ? passed(database.engine === 'postgres' ? 'Postgres answers' : 'whole')
    : warning(`of an earlier version: ${pending.length} steps to take (institute migrate, or the next start)`)
}

const checkKeys = async ({ config, database }: Patient): Promise<CheckResult> => {
  const file = path.join(config.dataDir, MASTER_KEY)
  if (!hasMasterKey(config)) {
    if (database instanceof Error) return UNSEEN
    if (!(await hasSecrets(database))) return passed('none needed yet')
  }
  // Throws an error that says what is wrong with an invalid key.
  masterKey(config)
  // Where the disk keeps no rights, the check of the folder says so.
  const canClose = openToOthers(config.dataDir) === undefined
  if (canClose && config.masterKey === undefined && letsOthersIn(statSync(file))) {
    return wrong(`others may read ${file}: chmod 600 ${file}`)
  }
  if (database instanceof Error) return warning('there is a master key; whether it is the right one cannot be seen')
  return (await keyOpens(database, config))
    ? passed('the master key opens the database’s secrets')
    : wrong(foreignKey(config))
}

/** The checks that all others depend on. */
const FIRST: Readonly<Record<string, Look>> = {
  program: checkProgram,
  folder: checkFolder,
  database: checkDatabase,
  keys: checkKeys,
  disk: checkDisk,
  clock: checkClock,
}
const LAST: Readonly<Record<string, Look>> = { address: checkAddress, backups: checkBackups, vendor: checkVendor }

const ofBackups = ({ backups: { to } }: Config): Record<string, Look> =>
  to === undefined || 'folder' in to ? {} : { 'backup bucket': () => lookAtBackupBucket(to) }

/** Opens the existing database; creates and migrates nothing. @throws an Error where it cannot be opened */
const openAsItIs = async (config: Config): Promise<Database> => {
  loadNative(config.dataDir)
  assertDatabase(config)
  const database = openDatabase(config)
  try {
    await assertPostgresWorks(database)
    await assertNotEmptied(config, database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The checks that the modules bring. */
const checksOfModules = async ({ config, clock, outbound }: Patient, database: Database): Promise<Check[]> => {
  const services = await openServicesReadOnly(config, database, { clock, outbound })
  const isOfToday = await hasSchemaOfToday(database).catch(() => false)
  return allModules(services)
    .flatMap(({ checks = [] }) => checks)
    .map((check) => (isOfToday ? check : { ...check, look: notLooked }))
}

/** Checks everything that an install depends on, changes nothing, and continues after a failed check. */
export const examine = async (config: Config, clock: Clock, machine = THIS_MACHINE): Promise<Finding[]> => {
  const database = await openAsItIs(config).catch((error: unknown) => explained(error, config))
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  const patient: Patient = { config, clock, database, outbound, machine }
  try {
    const brought = database instanceof Error ? [] : await checksOfModules(patient, database)
    return await findingsOf(config, [
      ...checksOf(patient, FIRST),
      ...brought,
      ...checksOf(patient, { ...LAST, ...ofBackups(config) }),
    ])
  } finally {
    await outbound.close()
    if (!(database instanceof Error)) await database.close()
  }
}
