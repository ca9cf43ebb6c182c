import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { migrations } from '#migrations'
import type { Database } from '#db/database.ts'
import { pendingMigrations } from '#db/steps/migrate.ts'
import { SYSTEM } from '#executable/system-words.ts'
import { passed, warning, wrong, type Check, type CheckResult } from '#kernel/contract/check.ts'
import { CLOCK_SLACK_SECONDS, plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { lookAtLicense } from '#modules/licensing/index.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { backupState } from '#app/backup/state.ts'
import type { Config } from '#app/config/config.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { explained } from '#app/explain/explain.ts'
import { lookAtAddress } from '#app/process/address-check.ts'
import { addressState } from '#app/process/address-state.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { impossibleClock } from '#app/process/clock-check.ts'
import { issuerOf } from '#app/config/issuer.ts'

export type Finding = CheckResult & { about: string }

const MEGABYTE = 1024 * 1024
const ENOUGH_ROOM = 1024 * MEGABYTE
const NO_ROOM = 200 * MEGABYTE
/** With fewer free inodes than this the disk will soon take no more files. */
const FEW_FILES = 1000

export interface Patient {
  config: Config
  clock: Clock
  /** The open database, or the reason why it cannot be opened. */
  database: Database | Error
  outbound: Outbound
  machine: Machine
}

export type Look = (patient: Patient) => Promise<CheckResult>

export const withoutDot = (sentence: string): string => sentence.replace(/\.$/, '')

export const UNSEEN = warning('not looked at: the database cannot be opened')

/** Modules' checks need the tables of their own version. */
export const hasSchemaOfToday = async (database: Database): Promise<boolean> =>
  (await pendingMigrations(database, migrations)).length === 0

export const notLooked = async (): Promise<CheckResult> => warning('not looked at: the database is not of this version')

export const checkDisk = async ({ config: { dataDir } }: Patient): Promise<CheckResult> => {
  const { bavail, bsize, files, ffree } = await statfs(dataDir)
  const free = bavail * bsize
  const text = `${Math.round(free / MEGABYTE)} MB free in ${dataDir}`
  const howTo = `make room on it: ${SYSTEM.howFull(dataDir)}, and old backups in ${path.join(dataDir, BACKUPS)} can go elsewhere`
  if (free < NO_ROOM) return wrong(`${text}, too little to work with; ${howTo}`)
  if (files > 0 && ffree < FEW_FILES) {
    return wrong(
      `${text}, and room for ${ffree} more files only: ${SYSTEM.roomOf(dataDir, true)}; remove what nobody needs`,
    )
  }
  return free < ENOUGH_ROOM ? warning(`${text}; ${howTo}`) : passed(text)
}

export const checkClock = async ({ database, clock }: Patient): Promise<CheckResult> => {
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
    ? wrong(
        `says ${now}, but the newest change here is of ${at}: it was set back, or ran ahead before; ${SYSTEM.setClock}`,
      )
    : passed(now)
}

export const checkBackups = async ({ config, clock }: Patient): Promise<CheckResult> => {
  if (config.databaseUrl !== undefined)
    return passed('Postgres is backed up with pg_dump; this cannot be seen from here')
  const { problem, lastGoodAt, offServer } = backupState(config, clock)
  const elsewhere = offServer === 'ok' ? ', and was taken off the server' : ''
  return problem ?? passed(`the newest is of ${lastGoodAt}${elsewhere}`)
}

export const checkAddress = async ({ config, database, machine }: Patient): Promise<CheckResult> => {
  if (database instanceof Error) return UNSEEN
  if (!(await hasSchemaOfToday(database))) return notLooked()
  return lookAtAddress(await addressState(config, database.read, machine), config)
}

export const checkVendor = async ({ config, database, outbound, clock }: Patient): Promise<CheckResult> => {
  if (database instanceof Error) return UNSEEN
  if (!(await hasSchemaOfToday(database))) return notLooked()
  return lookAtLicense(database.read, { issuer: issuerOf(config), outbound, now: clock.now() })
}

/** Runs one check after the other. One that throws counts as wrong. */
export const findingsOf = async (config: Config, checks: readonly Check[]): Promise<Finding[]> => {
  const failed = (error: unknown): CheckResult => wrong(withoutDot(explained(error, config).message))
  const findings: Finding[] = []
  for (const { about, look } of checks) findings.push({ about, ...(await look().catch(failed)) })
  return findings
}

export const checksOf = (patient: Patient, looks: Readonly<Record<string, Look>>): Check[] =>
  Object.entries(looks).map(([about, look]) => ({ about, look: () => look(patient) }))
