import { realpathSync, statSync, type Stats } from 'node:fs'
import type { Database as Connection, Statement } from 'better-sqlite3'
import { StorageProblem } from '#kernel/errors.ts'

const statOf = (name: string): Stats | undefined => statSync(name, { throwIfNoEntry: false })

/**
 * Notices that the files of an open SQLite database are not at their place any more. SQLite itself goes on writing to
 * files that were removed or replaced, and what it writes there is gone with the process.
 */
export class FileGuard {
  readonly #file: string
  readonly #opened: ReadonlyMap<string, Stats | undefined>
  readonly #pageCount: Statement
  readonly #pageSize: number
  #largest: number
  #isOverwritten = false

  /** @param raw a connection to `file` that has read from it, so that its log is open, too */
  constructor(file: string, raw: Connection) {
    this.#file = file
    // The log lies beside the database itself, wherever a link to it lies.
    const real = realpathSync(file)
    this.#opened = new Map([file, `${real}-wal`, `${real}-shm`].map((name) => [name, statOf(name)]))
    this.#largest = this.#opened.get(file)?.size ?? 0
    this.#pageCount = raw.prepare('pragma page_count').pluck()
    this.#pageSize = raw.pragma('page_size', { simple: true }) as number
  }

  /** Costs a few microseconds. @throws StorageProblem; files that are put back are good again */
  check(): void {
    for (const [name, opened] of this.#opened) {
      const found = statOf(name)
      if (found?.ino !== opened?.ino || found?.dev !== opened?.dev) {
        throw new StorageProblem('the database file was removed or replaced while the program runs')
      }
      if (name === this.#file && found) this.#checkSize(found.size)
    }
  }

  /** A database gets smaller when somebody vacuums it; else another file was copied over it. */
  #checkSize(bytes: number): void {
    if (bytes < this.#largest) this.#isOverwritten ||= this.#bytesKnown() >= this.#largest
    if (this.#isOverwritten) throw new StorageProblem('the database file was overwritten while the program runs')
    this.#largest = bytes
  }

  #bytesKnown(): number {
    try {
      return (this.#pageCount.get() as number) * this.#pageSize
    } catch {
      // What SQLite finds contradicts what it knows.
      return Number.POSITIVE_INFINITY
    }
  }
}
