import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { problemsOfLive } from '#db/sqlite/whole-file.ts'
import { freePort } from '#kit/free-port.ts'
import { endProcess, untilUp } from '#kit/process.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { Caller } from './caller.ts'
import type { Deployment } from './deployment.ts'

export const EXECUTABLE = path.resolve(import.meta.dirname, '../../dist/institute')

/** The packaged executable on a data directory, to be killed and started again. */
export class Program implements Deployment {
  readonly #dataDir: string
  readonly #before: () => string[]
  #port = 0
  #child: ChildProcess | undefined
  #output = ''

  /** @param before a command that runs the program, at each start */
  constructor(dataDir: string, before: () => string[] = () => []) {
    if (!existsSync(EXECUTABLE)) throw new Error('There is no dist/institute yet: run `npm run package` first.')
    this.#dataDir = dataDir
    this.#before = before
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get dataDirs(): string[] {
    return [this.#dataDir]
  }

  /** Its environment is empty but for its settings. */
  async start(): Promise<void> {
    this.#port ||= await freePort()
    await untilUp(this.launch(), { isUp: () => this.#isReady(), everyMillis: 50, output: () => this.#output })
  }

  /** Starts it without waiting. */
  launch(): ChildProcess {
    const [command, ...args] = [...this.#before(), EXECUTABLE, 'serve']
    const child = spawn(command, args, {
      env: {
        INSTITUTE_DATA_DIR: this.#dataDir,
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

  async kill(): Promise<void> {
    if (this.#child) await endProcess(this.#child, 'SIGKILL')
  }

  async stop(): Promise<void> {
    if (this.#child) await endProcess(this.#child, 'SIGTERM')
  }

  async newInstitute(): Promise<string> {
    const setup = newSetup(setupTokenIn(this.#dataDir), { institute: { baseUrl: this.url } })
    return (await new Caller(this).send('POST', '/setup/bootstrap', setup)).accessToken
  }

  async count(sql: string): Promise<number> {
    const database = new Database(this.#file, { readonly: true })
    try {
      return database.prepare(sql).pluck().get() as number
    } finally {
      database.close()
    }
  }

  async problems(): Promise<string[]> {
    return problemsOfLive(this.#file)
  }

  get #file(): string {
    return path.join(this.#dataDir, 'institute.db')
  }
}
