import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { NoRoomForBackup, RestoreBusy } from '#modules/setup/index.ts'
import { mostBytesIn } from '#app/backup/free-space.ts'
import type { Restoring } from '#app/backup/restoring.ts'
import { writeWhole } from '#app/backup/write-whole.ts'
import type { Config } from '#app/config/config.ts'
import { backupsIn } from '#app/data-dir/backup-names.ts'
import { stampOf } from '#app/data-dir/layout.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import type { Looks } from './looks.ts'

/** Apart from the backups that this server made: it counts for nothing there, is copied nowhere, and does not stay. */
const FOLDER = '.brought'
const NAME = /^brought-.*\.tar\.gz$/
/** Somebody who looks at it one day and decides the next has to bring it again. */
const KEPT_SECONDS = 24 * 3600

interface Deps {
  config: Config
  clock: Clock
  restoring: Restoring
  looks: Looks
}

/** The one backup that somebody brought here from elsewhere, to look at it and perhaps to restore it. */
export class Brought {
  readonly #config: Config
  readonly #clock: Clock
  readonly #restoring: Restoring
  readonly #looks: Looks
  #isReceiving = false

  constructor({ config, clock, restoring, looks }: Deps) {
    this.#config = config
    this.#clock = clock
    this.#restoring = restoring
    this.#looks = looks
  }

  get folder(): string {
    return path.join(this.#config.dataDir, FOLDER)
  }

  /** The largest file for which the disk has room, with what it holds beside it. */
  get mostBytes(): number {
    return this.#restoring.canRestore ? mostBytesIn(this.#config.dataDir) : 0
  }

  /** @returns undefined for any other name than that of the one that is here */
  fileOf(name: string): string | undefined {
    return backupsIn(this.folder).some((kept) => kept.name === name) ? path.join(this.folder, name) : undefined
  }

  /** Keeps a file, whole or not at all, in the place of the former. @throws RestoreBusy, NoRoomForBackup, or what the stream throws */
  async take(bytes: AsyncIterable<Uint8Array>, length: number): Promise<void> {
    this.makeWay(length)
    this.#isReceiving = true
    try {
      makeFolders(this.folder)
      await writeWhole(bytes, path.join(this.folder, `brought-${stampOf(this.#clock.now())}.tar.gz`))
    } finally {
      this.#isReceiving = false
    }
  }

  /** Removes the former for one of this length. @throws RestoreBusy, NoRoomForBackup */
  makeWay(length: number): void {
    this.remove()
    const { mostBytes } = this
    if (length > mostBytes) throw NoRoomForBackup({ mostBytes })
  }

  /** @throws RestoreBusy while something is done with it */
  remove(): void {
    if (this.#isReceiving || this.#restoring.isBusy || this.#looks.isOpening) throw RestoreBusy()
    this.#clear()
  }

  /** It was restored. */
  forget(name: string): void {
    if (this.fileOf(name) !== undefined) this.#clear()
  }

  /** Removes what a program that was killed has left of a file on its way. */
  clean(): void {
    if (!existsSync(this.folder)) return
    for (const name of readdirSync(this.folder))
      if (!NAME.test(name)) rmSync(path.join(this.folder, name), { force: true })
  }

  /** Removes it once it has lain here for a day. */
  sweep(): void {
    const [newest] = backupsIn(this.folder)
    if (!newest || plusSeconds(newest.createdAt, KEPT_SECONDS) > this.#clock.now()) return
    try {
      this.remove()
    } catch {
      // It is being restored: the next time.
    }
  }

  #clear(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
