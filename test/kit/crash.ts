import type { Database } from '#db/database.ts'

/**
 * A process that crashes after so many steps. A step is taken before and after every transaction, and before and after
 * everything that leaves the process; once it has crashed, it does neither.
 */
export class CrashableProcess {
  #left = Infinity

  /** It crashes at the step after these. */
  crashAfter(steps: number): void {
    this.#left = steps
  }

  /** Starts another process in its place. @returns whether it had crashed */
  restart(): boolean {
    const hasCrashed = this.#left < 0
    this.#left = Infinity
    return hasCrashed
  }

  /** @throws once the process has crashed */
  readonly step = (): void => {
    this.#left -= 1
    if (this.#left < 0) throw new Error('the process has crashed')
  }

  /** Runs what leaves the process: a transaction, a mail, a request. */
  readonly atRisk = async <T>(act: () => Promise<T>): Promise<T> => {
    this.step()
    const result = await act()
    this.step()
    return result
  }

  readonly wrap = (database: Database): Database => ({
    ...database,
    version: () => database.version(),
    write: (work, options) => this.atRisk(() => database.write(work, options)),
  })
}
