import type { Database as Connection, Statement } from 'better-sqlite3'

/** Copies what was committed from the log into the database file, elsewhere than on this thread. */
export interface Checkpointer {
  /** Resolves when it is done, also where nothing came of it. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

/** Pages in the log after which they are copied: as many as SQLite itself lets gather. */
const CHECKPOINT_PAGES = 1000
/** SQLite copies them itself at the end of a commit that leaves more than this. */
const AUTOCHECKPOINT_PAGES = 4000
/** What a commit writes beside the rows themselves: the pages of their indexes, of which rows share the most. */
const PAGES_PER_COMMIT = 8

/**
 * Has the log copied away while this thread goes on. A checkpoint writes to a thousand places and waits twice for the
 * disk: whoever asks meanwhile waits with it, be it for a read alone.
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

  /** A transaction was committed. */
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
