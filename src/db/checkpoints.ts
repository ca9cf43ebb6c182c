import type { Database as Connection, Statement } from 'better-sqlite3'

/** Runs WAL checkpoints (copies committed pages from the write-ahead log into the database file) on another thread. */
export interface Checkpointer {
  /** Resolves when the checkpoint has ended, even if it failed. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

/** A checkpoint starts after about this many pages in the write-ahead log: SQLite's own default. */
const CHECKPOINT_PAGES = 1000
/** If the log still grows beyond this, SQLite checkpoints itself, at the end of a commit. */
const AUTOCHECKPOINT_PAGES = 4000
/** An estimate of the index pages that a commit writes in addition to one page per row. */
const PAGES_PER_COMMIT = 8

/**
 * Starts checkpoints on another thread. A checkpoint writes to many places of the file and syncs it twice; on this
 * thread, every request would wait for that.
 */
export class Checkpoints {
  readonly #checkpointer: Checkpointer
  readonly #totalChanges: Statement
  #changes = 0
  #pages = 0
  #isRunning = false

  constructor(raw: Connection, checkpointer: Checkpointer) {
    this.#checkpointer = checkpointer
    this.#totalChanges = raw.prepare('select total_changes()').pluck()
    raw.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`)
  }

  /** Called after each commit. */
  committed(): void {
    const changes = this.#totalChanges.get() as number
    this.#pages += PAGES_PER_COMMIT + changes - this.#changes
    this.#changes = changes
    if (this.#isRunning || this.#pages < CHECKPOINT_PAGES) return
    this.#pages = 0
    this.#isRunning = true
    void this.#checkpointer.checkpoint().then(() => {
      this.#isRunning = false
    })
  }

  close(): Promise<void> {
    return this.#checkpointer.close()
  }
}
