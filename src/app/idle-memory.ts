import { setFlagsFromString, getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Logger } from 'pino'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** The engine's own collector, which it does not hand out unasked. */
const collector = (): Collect => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

const LOOK_MILLIS = 5000
/** The loop was at work for less of that time than this. */
const IDLE_UTILISATION = 0.1
/** Less is not worth a pause. */
const LEAST_BYTES = 32 * 1024 * 1024

/**
 * Gives memory back once a busy time is over. The engine collects when somebody allocates: after a load it keeps what the
 * load left behind, for as long as nobody asks for anything.
 */
export class IdleMemory {
  readonly #log: Logger
  #collect: Collect | undefined
  #utilisation = performance.eventLoopUtilization()
  /** Of the heap after the last collection; more than that is what has come since. */
  #settledBytes = getHeapStatistics().total_heap_size
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
