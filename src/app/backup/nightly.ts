import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { CLOCK_SLACK_SECONDS, plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { addDays, localDate, localInstant } from '#kernel/time/zone.ts'
import type { Config } from '#app/config/config.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { nameOfBucket } from './bucket.ts'
import { runCommand } from './command.ts'
import { isOffServer, readJournal, writeJournal, type Journal, type Tries } from './journal.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { sweepAbandoned } from '#app/data-dir/unfinished.ts'
import { newestNightly, tooMany, type KeptBackup } from '#app/data-dir/backup-names.ts'
import { startBackupProcess } from './process.ts'

/** When the night's backup is made, by the clocks of the institute. */
const NIGHT = '02:30'
/** How long to wait after the first, second … failed try; the last wait repeats. */
const RETRY_SECONDS = [600, 1800, 3600]
/** The same for a try that ended with the program: it is repeated at the next start, and later if the program ends again. */
const KILLED_RETRY_SECONDS = [0, 600, 1800, 3600]
/** The time limit for taking a backup off the server. */
const OFF_SERVER_MILLIS = 2 * 3600 * 1000

type Elsewhere = NonNullable<Config['backups']['to']>

/** @throws a Mistake where there is none: what lies in a bucket is never as it was */
export const neededKey = (key: string | undefined): string => {
  if (key !== undefined) return key
  throw new Mistake(
    'INSTITUTE_BACKUP_TO is a bucket, where backups lie encrypted: make a key with institute backup key FILE, and set INSTITUTE_BACKUP_KEY to what it prints.',
  )
}

/** Which nights count: those of the institute. */
export interface Nights {
  timezone: string
  /** When the institute was set up: there is nothing to make up of the nights before. */
  since: string
}

/** The newest moment at which a nightly backup should have been begun. */
export const lastNight = (now: string, zone: string): string => {
  const today = localDate(now, zone)
  const tonight = localInstant(today, NIGHT, zone)
  return tonight <= now ? tonight : localInstant(addDays(today, -1), NIGHT, zone)
}

/** The moment at which the next nightly backup is begun. */
export const nextNight = (now: string, zone: string): string => {
  const last = lastNight(now, zone)
  return localInstant(addDays(localDate(last, zone), 1), NIGHT, zone)
}

/** Whether another try is due. A try with a time in the future, from a clock that ran ahead, delays nothing. */
const mayTry = (tries: Tries | null, now: string): boolean => {
  if (!tries) return true
  const waits = tries.why === null ? KILLED_RETRY_SECONDS : RETRY_SECONDS
  const wait = waits[Math.min(tries.count, waits.length) - 1] as number
  return now >= plusSeconds(tries.at, wait) || tries.at > plusSeconds(now, CLOCK_SLACK_SECONDS)
}

/** The nightly backups of a running program. One process works on a data directory, so there is one such object. */
export class NightlyBackups {
  readonly #config: Config
  readonly #clock: Clock
  readonly #log: Logger
  readonly #folder: string
  #isRunning = false
  /** Whether a copy runs. It may wait for a share that does not answer, and cannot be ended then. */
  #isCopying = false

  constructor({ config, clock, log }: { config: Config; clock: Clock; log: Logger }) {
    this.#config = config
    this.#clock = clock
    this.#log = log
    this.#folder = path.join(config.dataDir, BACKUPS)
  }

  /** Removes the unfinished backups of a program that was killed, to free their space. */
  clean(): void {
    sweepAbandoned(this.#folder, this.#clock.millis())
  }

  /**
   * Does what is due: makes the backup of the night, even if the night is over, and takes it off the server. A failure is
   * logged, noted for `institute doctor` and tried again later; it is not thrown.
   */
  async run(nights: Nights, signal: AbortSignal): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      if (this.#isDue(nights)) await this.#backUp(signal)
      const newest = this.#newest()
      if (newest && this.#isToLeave(newest)) await this.#takeOff(newest.name, signal)
    } catch (error) {
      // For example, the disk is so full that the journal cannot be written.
      this.#log.error({ err: error }, 'the nightly backups could not be looked after')
    } finally {
      this.#isRunning = false
    }
  }

  get #journal(): Journal {
    return readJournal(this.#config.dataDir)
  }

  #note(change: Partial<Journal>): void {
    writeJournal(this.#config.dataDir, { ...this.#journal, ...change })
  }

  #newest(): KeptBackup | undefined {
    return newestNightly(this.#folder, this.#clock.now())
  }

  #isDue({ timezone, since }: Nights): boolean {
    const now = this.#clock.now()
    const night = lastNight(now, timezone)
    const made = this.#newest()
    return since <= night && (made === undefined || made.createdAt < night) && mayTry(this.#journal.tries, now)
  }

  async #backUp(signal: AbortSignal): Promise<void> {
    const { dataDir, databaseUrl, masterKey, backups } = this.#config
    const createdAt = this.#clock.now()
    const before = this.#journal.tries
    const count = (before?.count ?? 0) + 1
    makeFolders(this.#folder)
    // Noted before it begins: a try that crashes the program must not do so again at each start.
    this.#note({ tries: { count, at: createdAt, why: before?.why ?? null } })
    const began = performance.now()
    const making = startBackupProcess(
      { make: { config: { dataDir, databaseUrl, masterKey }, createdAt, kind: 'nightly' } },
      signal,
    )
    try {
      const made = await making.answer
      if (!made) return
      const { file, bytes, missing, leftOut } = made
      const name = path.basename(file)
      this.#note({ last: name, tries: null })
      for (const old of tooMany(readdirSync(this.#folder), backups.keep, name)) rmSync(path.join(this.#folder, old))
      const seconds = Math.round((performance.now() - began) / 1000)
      this.#log.info({ file, bytes, seconds }, 'the nightly backup was made')
      if (missing.length > 0) this.#log.error({ missing }, 'files are missing in the data directory and the backup')
      if (leftOut.length > 0) this.#log.warn({ leftOut }, 'what is no file was left out of the backup')
    } catch (error) {
      await making.ended
      this.clean()
      if (signal.aborted) return this.#note({ tries: before })
      this.#log.error({ err: error, try: count }, 'the nightly backup failed')
      this.#note({ tries: { count, at: createdAt, why: (error as Error).message } })
    }
  }

  /** Whether the newest nightly backup is still to be taken off the server. */
  #isToLeave({ name, createdAt }: KeptBackup): boolean {
    const { offServer } = this.#journal
    if (isOffServer(name, this.#config.backups, offServer)) return false
    // A new backup does not wait because the one before it failed.
    return !offServer.tries || offServer.tries.at < createdAt || mayTry(offServer.tries, this.#clock.now())
  }

  async #takeOff(name: string, signal: AbortSignal): Promise<void> {
    const { to, command } = this.#config.backups
    const { offServer } = this.#journal
    const file = path.join(this.#folder, name)
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(OFF_SERVER_MILLIS)])
    const failures: string[] = []
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work()
      } catch (error) {
        failures.push((error as Error).message)
      }
    }
    if (to !== undefined && offServer.copied !== name) await attempt(() => this.#copy(file, to, bounded))
    if (command !== undefined && offServer.ran !== name && !signal.aborted) {
      await attempt(async () => {
        await runCommand(command, file, bounded)
        this.#noteOff({ ran: name })
      })
    }
    if (signal.aborted) return
    if (failures.length === 0) {
      this.#noteOff({ tries: null })
      this.#log.info({ file }, 'the nightly backup was taken off the server')
      return
    }
    const why = failures.join('; ')
    const count = (offServer.tries?.count ?? 0) + 1
    this.#log.error({ file, why, try: count }, 'the nightly backup was not taken off the server')
    this.#noteOff({ tries: { count, at: this.#clock.now(), why } })
  }

  #noteOff(change: Partial<Journal['offServer']>): void {
    this.#note({ offServer: { ...this.#journal.offServer, ...change } })
  }

  async #copy(file: string, to: Elsewhere, signal: AbortSignal): Promise<void> {
    const { dataDir, backups } = this.#config
    const { keep, key } = backups
    if (this.#isCopying) {
      const place = 'folder' in to ? to.folder : nameOfBucket(to)
      throw new Error(`${place} (INSTITUTE_BACKUP_TO) has not answered since the last try`)
    }
    const name = path.basename(file)
    const laid = [...new Set([...this.#journal.laid, name])]
    // Noted before it is copied: the program removes only files that it has noted.
    this.#note({ laid })
    const remove = tooMany(laid, keep, name)
    const copy =
      'folder' in to ? { file, folder: to.folder, dataDir, remove } : { file, to, recipient: neededKey(key), remove }
    this.#isCopying = true
    const { answer, ended } = startBackupProcess({ copy }, signal)
    const gone = ended.then(() => {
      this.#isCopying = false
    })
    try {
      await answer
    } finally {
      // A process that has answered ends at once; one that was aborted may not.
      if (!signal.aborted) await gone
    }
    this.#note({ laid: laid.filter((each) => !remove.includes(each)) })
    this.#noteOff({ copied: name })
  }
}
