import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#kit/free-port.ts'
import { endProcess, untilUp } from '#kit/process.ts'

export const EXECUTABLE = path.resolve(import.meta.dirname, '../../dist/institute')

/** Waits until a condition is true, up to a time limit. @returns whether it became true */
export const until = async (isTrue: () => Promise<boolean>, millis: number, everyMillis = 50): Promise<boolean> => {
  const end = performance.now() + millis
  while (!(await isTrue())) {
    if (performance.now() > end) return false
    await pause(everyMillis)
  }
  return true
}

/** The packaged executable on a data directory, to be killed and started again. */
export class Program {
  readonly dataDir: string
  readonly #before: () => string[]
  #port = 0
  #child: ChildProcess | undefined
  #output = ''

  /** @param before a command that runs the program, at each start */
  constructor(dataDir: string, before: () => string[] = () => []) {
    if (!existsSync(EXECUTABLE)) throw new Error('There is no dist/institute yet: run `npm run package` first.')
    this.dataDir = dataDir
    this.#before = before
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Starts it, with an empty environment but for its settings, and waits until it is ready. */
  async start(): Promise<void> {
    this.#port ||= await freePort()
    await untilUp(this.launch(), { isUp: () => this.#isReady(), everyMillis: 50, output: () => this.#output })
  }

  /** Starts it without waiting. */
  launch(): ChildProcess {
    const [command, ...args] = [...this.#before(), EXECUTABLE, 'serve']
    const child = spawn(command, args, {
      env: {
        INSTITUTE_DATA_DIR: this.dataDir,
        INSTITUTE_HOST: '127.0.0.1',
        INSTITUTE_PORT: String(this.#port),
        // The retry waits, shortened from minutes to seconds.
        INSTITUTE_WEBHOOK_BACKOFF_SEC: '1,1,2,2',
        INSTITUTE_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    return child
  }

  /** Until its end, it gets processor time only where other processes leave some. */
  yieldToOthers(): void {
    if (this.#child?.pid !== undefined) setPriority(this.#child.pid, constants.priority.PRIORITY_LOW)
  }

  async #isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/api/v1/health/ready`)).ok
    } catch {
      return false
    }
  }

  /** SIGKILL: the program cannot finish anything. */
  async kill(): Promise<void> {
    if (this.#child) await endProcess(this.#child, 'SIGKILL')
  }

  async stop(): Promise<void> {
    if (this.#child) await endProcess(this.#child, 'SIGTERM')
  }
}
