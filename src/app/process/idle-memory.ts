import { setFlagsFromString, getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Logger } from 'pino'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8's garbage collector, which is hidden unless a flag asks for it. */
const collector = (): Collect => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

const LOOK_MILLIS = 5000
/** The event loop counts as idle below this share of the time. */
const IDLE_UTILISATION = 0.1
/** To free less than this is not worth the pause. */
const LEAST_BYTES = 32 * 1024 * 1024

/**
 * Returns memory to the system after a busy time. V8 collects garbage only while something allocates: after a load it
 * would keep the garbage for as long as no request comes.
 */
export class IdleMemory {
  readonly #log: Logger
  #collect: Collect | undefined
  #utilisation = performance.eventLoopUtilization()
  /**
   * Size of the heap after the last collection; what exceeds it has been allocated since. 0 at first: the start of the
   * program leaves garbage too.
   */
  #settledBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MILLIS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  look(): void {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, this.#utilisation)
    this.#utilisation = now
    const before = getHeapStatistics().total_heap_size
    if (utilization > IDLE_UTILISATION || before - this.#settledBytes < LEAST_BYTES) return
    const started = performance.now()
    this.#collect ??= collector()
    this.#collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    this.#settledBytes = getHeapStatistics().total_heap_size
    this.#log.debug(
      { givenBack: before - this.#settledBytes, ms: Math.round(performance.now() - started) },
      'memory was given back',
    )
  }
}
