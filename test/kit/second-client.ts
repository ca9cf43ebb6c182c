import path from 'node:path'
import { ChildScript } from './child-script.ts'

/** How long a second client waited for replies while something else was running, in milliseconds. */
export interface Waits {
  worst: number
  p99: number
  p95: number
  p50: number
  asked: number
  /** Replies other than 200, in order. */
  refused: string[]
}

const SCRIPT = path.join(import.meta.dirname, 'second-client.process.ts')

/**
 * A second user of the server, who sends cheap requests all the time, each on its own connection, and measures their
 * latency. It is a separate process: inside the server's or the load's process it would measure itself.
 */
export class SecondClient {
  readonly #script: ChildScript

  /** @param requests paths that are read, or `PATCH` and the path of a record whose notes are changed */
  constructor(url: string, token: string, requests: readonly string[]) {
    this.#script = new ChildScript(SCRIPT, [url, token, ...requests])
  }

  /** The latencies since the last call. */
  waits(): Promise<Waits> {
    return this.#script.ask<Waits>({})
  }

  /** The latencies while `work` runs. */
  async beside(work: () => Promise<unknown>): Promise<Waits> {
    await this.waits()
    await work()
    return this.waits()
  }

  stop(): void {
    this.#script.stop()
  }
}
