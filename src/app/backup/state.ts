import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { warning, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import type { Backup } from '#modules/dashboard/index.ts'
import { makesNightly, type Config } from '#app/config/config.ts'
import { isOffServer, readJournal, type Journal } from './journal.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { backupsIn, isNightly, untilNow, type KeptBackup } from '#app/data-dir/backup-names.ts'

const HOURS = 3600
/** After this a nightly backup is late: a night and the morning after it. */
const LATE_SECONDS = 36 * HOURS
const TOO_LATE_SECONDS = 7 * 24 * HOURS

/** What is known of the backups of a data directory. */
export interface BackupState {
  /** Whether one is made every night. */
  nightly: boolean
  /** When the newest was made, at night or by hand; null: there is no backup. */
  lastGoodAt: string | null
  /** Its path. */
  file: string | null
  bytes: number | null
  /** What became of the newest nightly one elsewhere; none: nothing was asked for, or nothing was made since. */
  offServer: 'none' | 'ok' | 'failed'
  /** What somebody should know, in words; undefined: all is well. */
  problem: CheckResult | undefined
}

type Offered = Pick<Config, 'mode' | 'databaseUrl' | 'backups' | 'dataDir'>

const offServerOf = (
  { backups }: Offered,
  newest: KeptBackup | undefined,
  { offServer }: Journal,
): BackupState['offServer'] => {
  if ((backups.to === undefined && backups.command === undefined) || !newest) return 'none'
  if (isOffServer(newest.name, backups, offServer)) return 'ok'
  return offServer.tries ? 'failed' : 'none'
}

/** Says that the newest backup is too old, or that there is none. */
const ageProblem = (
  newest: string | undefined,
  now: string,
  { nightly, folder }: { nightly: boolean; folder: string },
) => {
  if (newest === undefined) {
    return warning(
      `none in ${folder}: ${nightly ? 'the first is made in the coming night, ' : ''}institute backup makes one now`,
    )
  }
  const text = `the newest in ${folder} is of ${newest}`
  if (!nightly) return newest < plusSeconds(now, -TOO_LATE_SECONDS) ? warning(text) : undefined
  if (newest < plusSeconds(now, -TOO_LATE_SECONDS)) return wrong(text)
  return newest < plusSeconds(now, -LATE_SECONDS) ? warning(text) : undefined
}

const joined = (problems: readonly CheckResult[]): CheckResult | undefined => {
  if (problems.length === 0) return undefined
  const text = problems.map((problem) => problem.text).join('; ')
  return problems.some(({ state }) => state === 'wrong') ? wrong(text) : warning(text)
}

const UNKNOWN: BackupState = {
  nightly: false,
  lastGoodAt: null,
  file: null,
  bytes: null,
  offServer: 'none',
  problem: undefined,
}

/**
 * Looks at the backups, and changes nothing. It reads only the data directory, and waits for no share. It knows nothing of
 * the backups of a Postgres database.
 */
export const backupState = (config: Offered, clock: Pick<Clock, 'now'>): BackupState => {
  if (config.databaseUrl !== undefined) return UNKNOWN
  const folder = path.join(config.dataDir, BACKUPS)
  const nightly = makesNightly(config)
  const journal = readJournal(config.dataDir)
  const { last, tries, offServer: elsewhere } = journal
  const now = clock.now()
  const kept = untilNow(backupsIn(folder), now)
  const [newest] = kept
  const file = newest ? path.join(folder, newest.name) : null
  const offServer = offServerOf(
    config,
    kept.find(({ name }) => isNightly(name)),
    journal,
  )
  const problems = [
    ageProblem(newest?.createdAt, now, { nightly, folder }),
    nightly && last !== null && !existsSync(path.join(folder, last))
      ? warning(`${path.join(folder, last)} is gone`)
      : undefined,
    nightly && tries?.why ? warning(`the last try failed, at ${tries.at}: ${tries.why}`) : undefined,
    offServer === 'failed' ? warning(`the newest was not taken off the server: ${elsewhere.tries?.why}`) : undefined,
  ]
  return {
    nightly,
    lastGoodAt: newest?.createdAt ?? null,
    file,
    bytes: file === null ? null : (statSync(file, { throwIfNoEntry: false })?.size ?? null),
    offServer,
    problem: joined(problems.filter((problem) => problem !== undefined)),
  }
}

/** The newest backup as the API shows it; null: this program makes none. */
export const lastBackup = (config: Offered, clock: Pick<Clock, 'now'>): Backup | null => {
  if (config.mode === 'cloud' || config.databaseUrl !== undefined) return null
  const { nightly, lastGoodAt, offServer, problem } = backupState(config, clock)
  // Its words name folders of the server: they are for those who run it.
  return { state: problem?.state ?? 'ok', nightly, lastGoodAt, offServer }
}
