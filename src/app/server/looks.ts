import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { RestoreBusy, type RestoreReason } from '#modules/setup/index.ts'
import type { BackupSummary } from '#app/backup/backup-summary.ts'
import { reasonOf } from '#app/backup/cannot-restore.ts'
import { identityOf, kindOfFile } from '#app/backup/lay.ts'
import { startBackupProcess } from '#app/backup/process.ts'
import type { Config } from '#app/config/config.ts'

/** What a look at a backup found. */
export interface Seen {
  held: BackupSummary | undefined
  /** Why it cannot be restored here; undefined: it can. */
  reason: RestoreReason | undefined
  detail: string
}

/** What files are that need no look inside. */
const AT_ONCE = {
  sealed: 'needs_key',
  postgres: 'postgres_dump',
  empty: 'damaged',
  other: 'not_a_backup',
} as const satisfies Record<string, RestoreReason>

/** More than anybody compares. */
const MOST_KEPT = 100

const versionOf = (file: string): string => {
  const { size, mtimeMs } = statSync(file)
  return `${file}|${size}|${mtimeMs}`
}

/** Looks at what backups hold, every byte of them: one at a time, each in a process of its own, and each once. */
export class Looks {
  readonly #config: Config
  readonly #log: Logger
  readonly #end = new AbortController()
  readonly #seen = new Map<string, Seen>()
  #running: Promise<void> | undefined
  /** The encrypted file that is being opened. */
  #opened: string | undefined

  constructor({ config, log }: { config: Config; log: Logger }) {
    this.#config = config
    this.#log = log
  }

  /** What is in the file; undefined: it is being read, or waits for that. */
  at(file: string): Seen | undefined {
    if (this.#opened === file) return undefined
    const kind = kindOfFile(file)
    const version = versionOf(file)
    const seen = this.#seen.get(version)
    // It says nothing of the file: whoever asks next has it read again.
    if (seen?.reason === 'disk_full' || seen?.reason === 'failed') this.#seen.delete(version)
    if (seen) return seen
    if (kind !== 'packed') return { held: undefined, reason: AT_ONCE[kind], detail: '' }
    this.#begin(file, version)
    return undefined
  }

  /** Whether an encrypted file is being opened. */
  get isOpening(): boolean {
    return this.#opened !== undefined
  }

  /** Begins to open an encrypted file with the text of its key; what is in it is read then. @throws RestoreBusy */
  open(file: string, key: string): void {
    if (this.#running) throw RestoreBusy()
    if (kindOfFile(file) !== 'sealed') return
    const version = versionOf(file)
    this.#seen.delete(version)
    this.#opened = file
    this.#running = this.#unseal(file, key)
      .catch((error: unknown) => {
        const reason = reasonOf(error)
        this.#log.warn({ err: error, file, reason }, 'an encrypted backup cannot be opened')
        this.#seen.set(version, { held: undefined, reason, detail: (error as Error).message })
      })
      .finally(() => {
        this.#running = undefined
        this.#opened = undefined
      })
  }

  async #unseal(file: string, key: string): Promise<void> {
    const open = { file, identity: identityOf(key) }
    await startBackupProcess<undefined>({ open }, this.#end.signal).answer
  }

  #begin(file: string, version: string): void {
    if (this.#running) return
    const { dataDir, masterKey } = this.#config
    const look = { config: { dataDir, masterKey }, file, folder: this.#folder }
    this.#running = startBackupProcess<BackupSummary>({ look }, this.#end.signal)
      .answer.then(
        (held): Seen => ({ held, reason: undefined, detail: '' }),
        (error: unknown): Seen => {
          const reason = reasonOf(error)
          this.#log.warn({ err: error, file, reason }, 'a backup cannot be restored')
          return { held: undefined, reason, detail: (error as Error).message }
        },
      )
      .then((seen) => {
        if (this.#seen.size >= MOST_KEPT) this.#seen.clear()
        this.#seen.set(version, seen)
      })
      .finally(() => {
        this.#running = undefined
      })
  }

  get #folder(): string {
    return path.join(this.#config.dataDir, '.restore-look')
  }

  /** Removes what a program that was killed has left. */
  clean(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Gives up a look that is under way. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#running
  }
}
