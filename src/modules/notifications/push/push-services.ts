import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import type { Clock } from '#kernel/time/clock.ts'

/** After so many requests in a row without an answer, nothing is sent to a push service for a while. */
const SILENT_AFTER = 3
const PAUSE_SECONDS = 60
const SERVICES_REMEMBERED = 10_000

interface Service {
  /** Requests in a row that had no answer. */
  unanswered: number
  /** On the clock. */
  restsUntil: number
}

/**
 * Remembers which push services did not answer lately. After each pause one request finds out for all the others whether
 * the service is back.
 */
export class PushServices {
  readonly #clock: Clock
  readonly #services = new BoundedCache<string, Service>(SERVICES_REMEMBERED)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Asks before a request. @returns for how many seconds there should be none; 0: it may go out now */
  pauseOf(host: string): number {
    const service = this.#services.find(host)
    if (!service || service.unanswered < SILENT_AFTER) return 0
    const pause = (service.restsUntil - this.#clock.millis()) / 1000
    // A longer one than there is: the clock was set back.
    if (pause > 0 && pause <= PAUSE_SECONDS) return Math.ceil(pause)
    this.#rest(service)
    return 0
  }

  /** Notes whether a request had an answer, whichever it was. */
  note(host: string, hasAnswered: boolean): void {
    const service = this.#services.get(host, () => ({ unanswered: 0, restsUntil: 0 }))
    service.unanswered = hasAnswered ? 0 : service.unanswered + 1
    if (service.unanswered >= SILENT_AFTER) this.#rest(service)
  }

  #rest(service: Service): void {
    service.restsUntil = this.#clock.millis() + PAUSE_SECONDS * 1000
  }
}
