import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '#kernel/time/clock.ts'
import type { Config } from '#app/config/config.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { isBackingUp } from '#app/data-dir/unfinished.ts'
import { startBackupProcess } from '#app/backup/process.ts'

/** Backups that somebody asks for, one at a time, each in a process of its own. */
export class BackupsNow {
  readonly #config: Config
  readonly #clock: Clock
  readonly #log: Logger
  readonly #end = new AbortController()
  #running: Promise<void> | undefined
  /** When the last one was begun that failed; null: none since the program started, or one was made since. */
  failedAt: string | null = null

  constructor({ config, clock, log }: { config: Config; clock: Clock; log: Logger }) {
    this.#config = config
    this.#clock = clock
    this.#log = log
  }

  /** Whether one is being made, by whomever. */
  get isMaking(): boolean {
    return this.#running !== undefined || isBackingUp(this.#config.dataDir, this.#clock.millis())
  }

  /** Begins one, unless one is being made, and does not wait for its end. */
  begin(): void {
    if (this.isMaking) return
    const { dataDir, databaseUrl, masterKey } = this.#config
    const createdAt = this.#clock.now()
    const task = { make: { config: { dataDir, databaseUrl, masterKey }, createdAt, kind: 'institute' as const } }
    const { answer } = startBackupProcess(task, this.#end.signal)
    this.#running = answer
      .then(
        (made) => {
          this.failedAt = null
          this.#log.info({ file: made?.file, bytes: made?.bytes }, 'a backup was made')
        },
        (error: unknown) => {
          this.failedAt = createdAt
          this.#log.error({ err: error }, 'a backup failed')
        },
      )
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Gives up the one that is being made. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  /** The file of a backup; undefined: there is none of this name. */
  fileOf(name: string): string | undefined {
    const folder = path.join(this.#config.dataDir, BACKUPS)
    if (!existsSync(folder)) return undefined
    // Looked up, and never joined to a path as it was sent.
    const found = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isFile() && entry.name === name)
    return found && name.endsWith('.tar.gz') ? path.join(folder, found.name) : undefined
  }
}
