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

/**
 * Starts checkpoints on another thread. A checkpoint writes to many places of the file and syncs it twice; on this
 * thread, every request would wait for that.
 */
export class Checkpoints {
  readonly #checkpointer: Checkpointer
  readonly #logSize: Statement
  /** How many pages the log held when the last checkpoint started. */
  #startedAt = 0
  #isRunning = false

  constructor(raw: Connection, checkpointer: Checkpointer) {
    this.#checkpointer = checkpointer
    // How many pages the log holds, and how many of them a checkpoint has copied; it copies none.
    this.#logSize = raw.prepare('pragma wal_checkpoint(noop)')
    raw.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`)
  }

  /** Called after each commit. */
  committed(): void {
    if (this.#isRunning) return
    const { log, checkpointed } = this.#logSize.get() as { log: number; checkpointed: number }
    // The log begins again from its start after a checkpoint that copied all of it.
    if (log < this.#startedAt) this.#startedAt = 0
    // A checkpoint copies nothing that a reader still needs: there is more to copy when the log has grown.
    if (log - Math.max(checkpointed, this.#startedAt) < CHECKPOINT_PAGES) return
    this.#startedAt = log
    this.#isRunning = true
    void this.#checkpointer.checkpoint().then(() => {
      this.#isRunning = false
    })
  }

  close(): Promise<void> {
    return this.#checkpointer.close()
  }
}
