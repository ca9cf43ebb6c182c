import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'

const MEGABYTE = 1024 * 1024

/** Why no disk of a size of one's own can be mounted; undefined: it can. */
export const whyNoSmallDisk = (): string | undefined =>
  process.getuid?.() === 0 ? undefined : 'only root can mount a small disk'

/** A disk of so many megabytes in a folder that is there, until the test has ended. */
export class SmallDisk {
  readonly folder: string
  readonly #filler: string

  constructor(folder: string, megabytes: number) {
    this.folder = folder
    this.#filler = path.join(folder, 'filler')
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize
  }

  /** Has something else take all but so many megabytes of it. */
  leave(megabytes: number): void {
    this.makeRoom()
    execFileSync('fallocate', ['-l', String(this.freeBytes - megabytes * MEGABYTE), this.#filler])
  }

  /** Takes that away again. */
  makeRoom(): void {
    rmSync(this.#filler, { force: true })
  }
}
