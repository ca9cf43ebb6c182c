import { existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { migrations } from '#migrations'
import { pendingMigrations } from '#db/migrate.ts'
import { problemsOfPostgres } from '#db/postgres-check.ts'
import { problemsOfLive } from '#db/whole-file.ts'
import type { Database } from '#db/database.ts'
import { passed, warning, wrong, type CheckResult, type Check } from '#kernel/check.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds, type Clock } from '#kernel/clock.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { BACKUPS, DATABASE, MASTER_KEY } from './backup/layout.ts'
import { openDatabase } from './compose.ts'
import type { Config } from './config.ts'
import { isInUse } from './data-lock.ts'
import { openServicesReadOnly, outboundPolicy } from './services.ts'
import { hasSecrets, keyOpens } from './key-check.ts'
import { allModules } from './modules.ts'

export type Finding = CheckResult & { about: string }

const MEGABYTE = 1024 * 1024
const ENOUGH_ROOM = 1024 * MEGABYTE
const NO_ROOM = 200 * MEGABYTE
const BACKUP_DAYS = 7

interface Patient {
  config: Config
  database: Database
  clock: Clock
}

const checkProgram = async ({ config }: Patient): Promise<CheckResult> =>
  (await isInUse(config.dataDir)) ? passed('is running') : warning('is not running')

const checkDatabase = async ({ config, database }: Patient): Promise<CheckResult> => {
  const { dataDir } = config
  const problems =
    database.engine === 'postgres'
      ? await problemsOfPostgres(database.read)
      : problemsOfLive(path.join(dataDir, DATABASE))
  if (problems.length > 0) return wrong(problems.join('; '))
  const pending = await pendingMigrations(database, migrations)
  return pending.length === 0
    ? passed(database.engine === 'postgres' ? 'Postgres answers' : 'whole')
    : warning(`of an earlier version: ${pending.length} steps to take (institute migrate, or the next start)`)
}

const checkKeys = async ({ config, database }: Patient): Promise<CheckResult> => {
  const file = path.join(config.dataDir, MASTER_KEY)
  if (config.masterKey === undefined) {
    if (!existsSync(file)) {
      return (await hasSecrets(database))
        ? wrong(`${file} is missing: bring it back from a backup`)
        : passed('none needed yet')
    }
    if ((statSync(file).mode & 0o077) !== 0) return wrong(`others may read ${file}: chmod 600 it`)
  }
  return (await keyOpens(database, config))
    ? passed('the master key opens the database’s secrets')
    : wrong('the master key does not belong to this database')
}

const checkDisk = async ({ config }: Patient): Promise<CheckResult> => {
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const text = `${Math.round(free / MEGABYTE)} MB free in ${config.dataDir}`
  if (free < NO_ROOM) return wrong(text)
  return free < ENOUGH_ROOM ? warning(text) : passed(text)
}

const checkClock = async ({ database, clock }: Patient): Promise<CheckResult> => {
  const now = clock.now()
  const newest = await database.read
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.max('created_at').as('at'))
    .executeTakeFirst()
  const at = newest?.at as string | null | undefined
  return at && at > plusSeconds(now, CLOCK_SLACK_SECONDS)
    ? wrong(`says ${now}, but the newest change here is of ${at}: it was set back, or ran ahead before`)
    : passed(now)
}

const checkBackups = async ({ config, clock }: Patient): Promise<CheckResult> => {
  if (config.databaseUrl !== undefined)
    return passed('Postgres is backed up with pg_dump; this cannot be seen from here')
  const folder = path.join(config.dataDir, BACKUPS)
  const made = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.tar.gz'))
        .map((name) => statSync(path.join(folder, name)).mtime.toISOString())
        .toSorted()
    : []
  const newest = made.at(-1)
  if (newest === undefined) return warning(`none in ${folder}: institute backup makes one`)
  return newest < plusSeconds(clock.now(), -BACKUP_DAYS * 24 * 3600)
    ? warning(`the newest in ${folder} is of ${newest}`)
    : passed(`the newest is of ${newest}`)
}

const checkVendor = async (): Promise<CheckResult> => passed('there is no licence: nothing is sent to the vendor')

type Look = (patient: Patient) => Promise<CheckResult>

/** The checks that all others depend on. */
const FIRST: Readonly<Record<string, Look>> = {
  program: checkProgram,
  database: checkDatabase,
  keys: checkKeys,
  disk: checkDisk,
  clock: checkClock,
}
const LAST: Readonly<Record<string, Look>> = { backups: checkBackups, vendor: checkVendor }

const checksOf = (patient: Patient, looks: Readonly<Record<string, Look>>): Check[] =>
  Object.entries(looks).map(([about, look]) => ({ about, look: () => look(patient) }))

/** Checks everything that an install depends on, changes nothing, and continues after a failed check. */
export const examine = async (config: Config, clock: Clock): Promise<Finding[]> => {
  if (config.databaseUrl === undefined && !existsSync(path.join(config.dataDir, DATABASE))) {
    return [
      {
        about: 'database',
        ...wrong(`there is none in ${config.dataDir}: institute restore brings one back from a backup`),
      },
    ]
  }
  const database = openDatabase(config)
  const patient = { config, database, clock }
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  const findings: Finding[] = []
  try {
    const services = await openServicesReadOnly(config, database, { clock, outbound })
    const isOfToday = await hasSchemaOfToday(database).catch(() => false)
    const brought = allModules(services)
      .flatMap(({ checks = [] }) => checks)
      .map((check) => (isOfToday ? check : { ...check, look: notLooked }))
    for (const { about, look } of [...checksOf(patient, FIRST), ...brought, ...checksOf(patient, LAST)]) {
      findings.push({ about, ...(await look().catch(failed)) })
    }
  } finally {
    await outbound.close()
    await database.close()
  }
  return findings
}

/** Modules' checks need the tables of their own version. */
const hasSchemaOfToday = async (database: Database): Promise<boolean> =>
  (await pendingMigrations(database, migrations)).length === 0

const notLooked = async (): Promise<CheckResult> => warning('not looked at: the database is not of this version')

const failed = (error: unknown): CheckResult => wrong((error as Error).message || String(error))
