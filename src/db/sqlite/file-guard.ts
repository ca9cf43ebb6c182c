import { realpathSync, statSync, type Stats } from 'node:fs'
import type { Database as Connection, Statement } from 'better-sqlite3'
import { StorageProblem } from '#kernel/values/errors.ts'

const statFile = (name: string): Stats | undefined => statSync(name, { throwIfNoEntry: false })

/**
 * Detects that the files of an open SQLite database were removed or replaced. SQLite itself would go on writing to the
 * old files, and those writes would be lost when the process ends.
 */
export class FileGuard {
  readonly #file: string
  readonly #opened: ReadonlyMap<string, Stats | undefined>
  readonly #pageCount: Statement
  readonly #pageSize: number
  #largest: number
  #isOverwritten = false

  /** @param raw a connection to `file` that has already read from it, so that its write-ahead log is open too */
  constructor(file: string, raw: Connection) {
    this.#file = file
    // The log is beside the database file itself, not beside a symbolic link to it.
    const real = realpathSync(file)
    this.#opened = new Map([file, `${real}-wal`, `${real}-shm`].map((name) => [name, statFile(name)]))
    this.#largest = this.#opened.get(file)?.size ?? 0
    this.#pageCount = raw.prepare('pragma page_count').pluck()
    this.#pageSize = raw.pragma('page_size', { simple: true }) as number
  }

  /** Takes a few microseconds. It succeeds again when the original files are put back. @throws StorageProblem */
  check(): void {
    for (const [name, opened] of this.#opened) {
      const found = statFile(name)
      if (found?.ino !== opened?.ino || found?.dev !== opened?.dev) {
        throw new StorageProblem('the database file was removed or replaced while the program runs')
      }
      if (name === this.#file && found) this.#checkSize(found.size)
    }
  }

  /** A database file shrinks after a vacuum. If SQLite does not know of one, another file was copied over it. */
  #checkSize(bytes: number): void {
    if (bytes < this.#largest) this.#isOverwritten ||= this.#bytesKnown() >= this.#largest
    if (this.#isOverwritten) throw new StorageProblem('the database file was overwritten while the program runs')
    this.#largest = bytes
  }

  #bytesKnown(): number {
    try {
      return (this.#pageCount.get() as number) * this.#pageSize
    } catch {
      // The content of the file contradicts what SQLite has in memory.
      return Number.POSITIVE_INFINITY
    }
  }
}
