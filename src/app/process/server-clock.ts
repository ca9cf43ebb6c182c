import type { Database } from '#db/database.ts'
import { systemClock, type Clock } from '#kernel/time/clock.ts'

const LOOK_EVERY_MILLIS = 5000

/** What a clock that is elsewhere said, and when on the monotonic clock it was asked and had answered. */
export interface Look {
  asked: number
  answered: number
  /** Milliseconds since 1970. */
  said: number
}

/**
 * The clock of the database server, which all processes on one database share: a lease, a due time or a limit means the
 * same in each of them, whatever their own machines say. Between two looks the monotonic clock carries it on, so that it
 * does not follow a machine whose clock is set.
 */
export class ServerClock implements Clock {
  /** The server's time less the monotonic one. */
  #offset: number
  readonly #monotonic: () => number
  #printed = { millis: 0, text: '' }

  constructor(first: Look, monotonic = () => systemClock.monotonic()) {
    this.#offset = first.said - (first.asked + first.answered) / 2
    this.#monotonic = monotonic
  }

  /**
   * Corrects the clock as far as the look proves it wrong: the server read its clock at some time between question and
   * answer, so a slow answer proves little.
   */
  correct({ asked, answered, said }: Look): void {
    this.#offset = Math.min(Math.max(this.#offset, said - answered), said - asked)
  }

  millis(): number {
    return Math.floor(this.#offset + this.#monotonic())
  }

  now(): string {
    const millis = this.millis()
    if (millis !== this.#printed.millis) this.#printed = { millis, text: new Date(millis).toISOString() }
    return this.#printed.text
  }

  monotonic(): number {
    return this.#monotonic()
  }
}

const look = async ({ serverMillis }: Pick<Database, 'serverMillis'>): Promise<Look> => {
  const asked = systemClock.monotonic()
  const said = await serverMillis()
  return { asked, answered: systemClock.monotonic(), said }
}

/** The clock that the program goes by: that of the Postgres server, or with SQLite that of this machine. */
export interface ProgramClock {
  clock: Clock
  /** Goes on without looking. */
  stop(): void
}

/** @throws the error of the driver, where the server cannot be asked */
export const programClock = async (database: Database): Promise<ProgramClock> => {
  if (database.engine === 'sqlite') return { clock: systemClock, stop: () => {} }
  const clock = new ServerClock(await look(database))
  // Where the server cannot be asked just now, the monotonic clock goes on; the next look corrects it.
  const correct = () =>
    void look(database).then(
      (found) => clock.correct(found),
      () => {},
    )
  const timer = setInterval(correct, LOOK_EVERY_MILLIS).unref()
  return { clock, stop: () => clearInterval(timer) }
}
