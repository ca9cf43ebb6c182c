import type { Database } from '#db/database.ts'

/**
 * A process that dies after so many steps. A step is taken before and after every transaction, and before and after
 * everything that is handed to somebody else; once it is dead it does neither.
 */
export class Mortality {
  #left = Infinity

  /** It dies at the step after these. */
  dieAfter(steps: number): void {
    this.#left = steps
  }

  /** Another process goes on in its place. @returns whether it had died */
  revive(): boolean {
    const died = this.#left < 0
    this.#left = Infinity
    return died
  }

  /** @throws once the process is dead */
  readonly step = (): void => {
    this.#left -= 1
    if (this.#left < 0) throw new Error('the process is dead')
  }

  /** Wraps whatever leaves the process: a transaction, a mail, a request. */
  readonly acting = async <T>(act: () => Promise<T>): Promise<T> => {
    this.step()
    const result = await act()
    this.step()
    return result
  }

  readonly wrap = (database: Database): Database => ({
    ...database,
    version: () => database.version(),
    write: (work, options) => this.acting(() => database.write(work, options)),
  })
}
