import { lstatSync, openSync, closeSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { migrations } from '#migrations'
import { pendingMigrations } from '#db/migrate.ts'
import { assertPostgresVersion, problemsOfPostgres } from '#db/postgres-check.ts'
import { problemsOfLive } from '#db/whole-file.ts'
import type { Database } from '#db/database.ts'
import { passed, warning, wrong, type CheckResult, type Check } from '#kernel/check.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds, type Clock } from '#kernel/clock.ts'
import { lookAtLicense } from '#modules/licensing/index.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { lookAtAddress } from '#app/process/address-check.ts'
import { BACKUPS, BEGUN, DATABASE, FILES, MASTER_KEY } from '#app/data-dir/layout.ts'
import { backupState } from '#app/backup/state.ts'
import { baseUrlOf } from '#app/config/base-url.ts'
import { impossibleClock } from '#app/process/clock-check.ts'
import { openDatabase } from '#app/open-database.ts'
import type { Config } from '#app/config/config.ts'
import { assertDatabase, assertNotEmptied } from '#app/data-dir/data-dir.ts'
import { isInUse } from '#app/data-dir/data-lock.ts'
import { damaged } from '#app/explain/database-trouble.ts'
import { explained, foreignKey } from '#app/explain/explain.ts'
import { brokenFolder, giveBack } from '#app/trouble/file-trouble.ts'
import { openServicesReadOnly, outboundPolicy, issuerOf } from '#app/services.ts'
import { hasSecrets, keyOpens } from '#app/data-dir/key-check.ts'
import { hasMasterKey, masterKey } from '#app/data-dir/master-key.ts'
import { allModules } from '#app/modules.ts'
import { loadNative } from '#app/executable/native.ts'
import { isService, startCommand } from '#app/executable/command-line.ts'
import { userName } from '#app/trouble/user-names.ts'

export type Finding = CheckResult & { about: string }

const MEGABYTE = 1024 * 1024
const ENOUGH_ROOM = 1024 * MEGABYTE
const NO_ROOM = 200 * MEGABYTE
/** With fewer free inodes than this the disk will soon take no more files. */
const FEW_FILES = 1000

interface Patient {
  config: Config
  clock: Clock
  /** The open database, or the reason why it cannot be opened. */
  database: Database | Error
  outbound: Outbound
}

const withoutDot = (sentence: string): string => sentence.replace(/\.$/, '')

const UNSEEN = warning('not looked at: the database cannot be opened')

const checkProgram = async ({ config }: Patient): Promise<CheckResult> =>
  isInUse(config.dataDir).then(
    (isRunning) => {
      if (!isRunning) return warning(`is not running: ${startCommand(config)}`)
      return passed(`is running${isService(config) ? '; its log: journalctl --unit institute --priority warning' : ''}`)
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
  return passed(`${dataDir}, of ${userName(uid)}`)
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
  if (config.masterKey === undefined && (statSync(file).mode & 0o077) !== 0) {
    return wrong(`others may read ${file}: chmod 600 ${file}`)
  }
  if (database instanceof Error) return warning('there is a master key; whether it is the right one cannot be seen')
  return (await keyOpens(database, config))
    ? passed('the master key opens the database’s secrets')
    : wrong(foreignKey(config))
}

const checkDisk = async ({ config: { dataDir } }: Patient): Promise<CheckResult> => {
  const { bavail, bsize, files, ffree } = await statfs(dataDir)
  const free = bavail * bsize
  const text = `${Math.round(free / MEGABYTE)} MB free in ${dataDir}`
  const howTo = `make room on it: df -h ${dataDir} shows how full it is, and old backups in ${path.join(dataDir, BACKUPS)} can go elsewhere`
  if (free < NO_ROOM) return wrong(`${text}, too little to work with; ${howTo}`)
  if (files > 0 && ffree < FEW_FILES) {
    return wrong(`${text}, and room for ${ffree} more files only: df -i ${dataDir} shows it; remove what nobody needs`)
  }
  return free < ENOUGH_ROOM ? warning(`${text}; ${howTo}`) : passed(text)
}

const SET_CLOCK = 'sudo timedatectl set-ntp true sets it by the network'

const checkClock = async ({ database, clock }: Patient): Promise<CheckResult> => {
  const impossible = impossibleClock(clock)
  if (impossible !== undefined) return wrong(impossible)
  if (database instanceof Error) return UNSEEN
  const now = clock.now()
  const newest = await database.read
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.max('created_at').as('at'))
    .executeTakeFirst()
  const at = newest?.at as string | null | undefined
  return at && at > plusSeconds(now, CLOCK_SLACK_SECONDS)
    ? wrong(`says ${now}, but the newest change here is of ${at}: it was set back, or ran ahead before; ${SET_CLOCK}`)
    : passed(now)
}

const checkBackups = async ({ config, clock }: Patient): Promise<CheckResult> => {
  if (config.databaseUrl !== undefined)
    return passed('Postgres is backed up with pg_dump; this cannot be seen from here')
  const { problem, lastGoodAt, offServer } = backupState(config, clock)
  const elsewhere = offServer === 'ok' ? ', and was taken off the server' : ''
  return problem ?? passed(`the newest is of ${lastGoodAt}${elsewhere}`)
}

const checkAddress = async ({ config, database }: Patient): Promise<CheckResult> => {
  if (database instanceof Error) return UNSEEN
  if (!(await hasSchemaOfToday(database))) return notLooked()
  return lookAtAddress(await baseUrlOf(config)(database.read), config)
}

const checkVendor = async ({ config, database, outbound, clock }: Patient): Promise<CheckResult> => {
  if (database instanceof Error) return UNSEEN
  if (!(await hasSchemaOfToday(database))) return notLooked()
  return lookAtLicense(database.read, { issuer: issuerOf(config), outbound, now: clock.now() })
}

type Look = (patient: Patient) => Promise<CheckResult>

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

const checksOf = (patient: Patient, looks: Readonly<Record<string, Look>>): Check[] =>
  Object.entries(looks).map(([about, look]) => ({ about, look: () => look(patient) }))

/** Opens the existing database; creates and migrates nothing. @throws an Error where it cannot be opened */
const openAsItIs = async (config: Config): Promise<Database> => {
  loadNative(config.dataDir)
  assertDatabase(config)
  const database = openDatabase(config)
  try {
    await assertPostgresVersion(database)
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
export const examine = async (config: Config, clock: Clock): Promise<Finding[]> => {
  const database = await openAsItIs(config).catch((error: unknown) => explained(error, config))
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  const patient: Patient = { config, clock, database, outbound }
  const failed = (error: unknown): CheckResult => wrong(withoutDot(explained(error, config).message))
  const findings: Finding[] = []
  try {
    const brought = database instanceof Error ? [] : await checksOfModules(patient, database)
    for (const { about, look } of [...checksOf(patient, FIRST), ...brought, ...checksOf(patient, LAST)]) {
      findings.push({ about, ...(await look().catch(failed)) })
    }
  } finally {
    await outbound.close()
    if (!(database instanceof Error)) await database.close()
  }
  return findings
}

/** Modules' checks need the tables of their own version. */
const hasSchemaOfToday = async (database: Database): Promise<boolean> =>
  (await pendingMigrations(database, migrations)).length === 0

const notLooked = async (): Promise<CheckResult> => warning('not looked at: the database is not of this version')
