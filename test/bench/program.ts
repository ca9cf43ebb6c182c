import { spawn, type ChildProcess } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { freePort } from '#kit/free-port.ts'
import { endProcess, residentBytes, untilUp } from '#kit/process.ts'
import { API_ROOT } from '#http/server/server.ts'
import { requestBytes } from './client.ts'

const READY = requestBytes('GET', `${API_ROOT}/health/ready`)

const answersReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(READY))
    socket.on('data', (chunk) => {
      resolve(chunk.toString('latin1', 9, 12) === '200')
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })

/** The packaged program on a data directory, with its default settings. */
export class Program {
  readonly url: string
  readonly dataDir: string
  /** From the start of the process until it was ready. */
  readonly startMillis: number
  readonly #child: ChildProcess

  private constructor(
    child: ChildProcess,
    { port, dataDir, startMillis }: { port: number; dataDir: string; startMillis: number },
  ) {
    this.#child = child
    this.url = `http://127.0.0.1:${port}`
    this.dataDir = dataDir
    this.startMillis = startMillis
  }

  /** Starts it and waits until it is ready. @param databaseUrl of a Postgres instead of SQLite @param env more settings */
  static async start(
    executable: string,
    dataDir: string,
    { databaseUrl, env = {} }: { databaseUrl?: string | undefined; env?: Record<string, string> } = {},
  ): Promise<Program> {
    const port = await freePort()
    const log = openSync(`${dataDir}.log`, 'a')
    const started = performance.now()
    const child = spawn(executable, ['serve'], {
      env: {
        INSTITUTE_DATA_DIR: dataDir,
        INSTITUTE_HOST: '127.0.0.1',
        INSTITUTE_PORT: String(port),
        // The client is one user who sends more requests than a person can, for longer than a token lives.
        INSTITUTE_LIMIT_USER: '1000000',
        INSTITUTE_ACCESS_TOKEN_SEC: '86400',
        INSTITUTE_WEBHOOK_BACKOFF_SEC: '1,1,1,1',
        ...(databaseUrl !== undefined && { INSTITUTE_DATABASE_URL: databaseUrl }),
        ...env,
      },
      stdio: ['ignore', 'ignore', log],
    })
    const output = () => readFileSync(`${dataDir}.log`, 'utf8')
    await untilUp(child, { isUp: () => answersReady(port), everyMillis: 1, output })
    return new Program(child, { port, dataDir, startMillis: performance.now() - started })
  }

  get databaseFile(): string {
    return path.join(this.dataDir, 'institute.db')
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** Resident memory of the process, in megabytes. */
  residentMegabytes(): number {
    return residentBytes(this.#child) / 1e6
  }

  stop(): Promise<void> {
    return endProcess(this.#child, 'SIGTERM')
  }
}
