import { open, rm } from 'node:fs/promises'
import { StorageProblem } from '#kernel/values/errors.ts'

/** About as much as an ordinary change may write. With less free space, some changes would be refused. */
const PROBE_BYTES = 256 * 1024
/** A result is reused for this long: each probe syncs the disk, and anybody may request one. */
const RESULT_VALID_MILLIS = 1000

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/** Checks that a disk accepts writes, by writing to it. */
export class DiskProbe {
  readonly #file: string
  #probed: Promise<void> | undefined
  #at = 0

  /** @param file a file that is written and removed again */
  constructor(file: string) {
    this.#file = file
  }

  /** @throws StorageProblem when the disk does not accept the write */
  probe(): Promise<void> {
    if (!this.#probed || performance.now() - this.#at >= RESULT_VALID_MILLIS) {
      this.#at = Number.POSITIVE_INFINITY
      this.#probed = this.#write().finally(() => {
        this.#at = performance.now()
      })
    }
    return this.#probed
  }

  async #write(): Promise<void> {
    try {
      const handle = await open(this.#file, 'w', 0o600)
      try {
        await handle.writeFile(Buffer.alloc(PROBE_BYTES))
        await handle.datasync()
      } finally {
        await handle.close()
      }
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      throw new StorageProblem(REASONS[code] ?? 'the disk takes no changes', { cause: error })
    } finally {
      await rm(this.#file, { force: true })
    }
  }
}
