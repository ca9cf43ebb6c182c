import path from 'node:path'
import { ChildScript } from './child-script.ts'

/** What a second client waited for while something else went on, in milliseconds. */
export interface Waits {
  worst: number
  p99: number
  asked: number
  /** Answers other than 200, as they came. */
  refused: string[]
}

const SCRIPT = path.join(import.meta.dirname, 'second-client.process.ts')

/**
 * Somebody else who uses the server: asks for cheap things all the time, each on a connection of its own, and keeps how
 * long they waited. It runs in a process of its own: in that of a server or of a load it would measure itself.
 */
export class SecondClient {
  readonly #script: ChildScript

  constructor(url: string, token: string, paths: readonly string[]) {
    this.#script = new ChildScript(SCRIPT, [url, token, ...paths])
  }

  /** What it waited for since this was asked last. */
  waits(): Promise<Waits> {
    return this.#script.ask<Waits>({})
  }

  /** What it waits for while `work` goes on. */
  async beside(work: () => Promise<unknown>): Promise<Waits> {
    await this.waits()
    await work()
    return this.waits()
  }

  stop(): void {
    this.#script.stop()
  }
}
