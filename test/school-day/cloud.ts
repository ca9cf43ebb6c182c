import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { freePort } from '#kit/free-port.ts'
import { createDatabase } from '#kit/postgres.ts'
import { startPostgresPair, type PostgresPair } from '#kit/postgres-pair.ts'
import { TestRedis, whyNoRedis } from '#kit/redis.ts'
import { startS3rver, type TestStore } from '#kit/s3.ts'
import { endProcess } from '#kit/process.ts'
import { OWNER } from '#kit/setup.ts'
import { Caller } from './caller.ts'
import type { Deployment } from './deployment.ts'
import { Door } from './door.ts'
import { mailedToken } from './mailed-token.ts'
import { EXECUTABLE } from './program.ts'
import { until } from './until.ts'

const PROCESSES = 3
const START_MILLIS = 30_000

interface Outside {
  pair: PostgresPair
  redis: TestRedis | undefined
  store: TestStore
}

/** Three processes of the packaged executable behind one address, with one Postgres that has a standby, and one bucket. */
export class Cloud implements Deployment {
  readonly dataDirs: string[]
  readonly #env: Record<string, string>
  readonly #ports: number[]
  readonly #door: Door
  readonly #pair: PostgresPair
  /** undefined: there is no Redis on this machine, and each process counts limits for itself. */
  readonly redis: TestRedis | undefined
  /** Where the files are. */
  readonly store: TestStore
  readonly #children: ChildProcess[] = []
  readonly #output: string[] = []
  /** Milliseconds that the clock of a process is ahead. */
  readonly #ahead = new Map<number, number>()
  /** The executable of each process. */
  readonly #executables: string[]

  private constructor(
    folder: string,
    {
      pair,
      redis,
      store,
      ports,
      databaseUrl,
      executable,
    }: Outside & { ports: number[]; databaseUrl: string; executable: string },
  ) {
    this.#executables = ports.map(() => executable)
    this.#pair = pair
    this.redis = redis
    this.store = store
    this.#ports = ports
    this.#door = new Door(ports)
    this.dataDirs = ports.map((_, index) => path.join(folder, `process-${index + 1}`))
    for (const dataDir of this.dataDirs) mkdirSync(dataDir, { mode: 0o700 })
    this.#env = {
      INSTITUTE_MODE: 'cloud',
      INSTITUTE_REGISTRATION: 'on',
      INSTITUTE_DATABASE_URL: databaseUrl,
      INSTITUTE_MASTER_KEY: randomBytes(32).toString('base64url'),
      INSTITUTE_S3_URL: store.url,
      ...(redis && { INSTITUTE_REDIS_URL: redis.url }),
      INSTITUTE_HOST: '127.0.0.1',
      INSTITUTE_LEAVE_SEC: '1',
      INSTITUTE_WEBHOOK_BLOCK_PRIVATE: 'off',
      // The retry waits, shortened from minutes to seconds.
      INSTITUTE_WEBHOOK_BACKOFF_SEC: '1,1,2,2',
      INSTITUTE_LOG_LEVEL: 'warn',
    }
  }

  /** @param folder is there and empty @param executable what its processes run at first */
  static async make(folder: string, executable = EXECUTABLE): Promise<Cloud> {
    const pair = await startPostgresPair()
    const redis = whyNoRedis() === undefined ? await TestRedis.start() : undefined
    const store = await startS3rver()
    try {
      const { url: databaseUrl } = await createDatabase(pair.adminUrl)
      const ports: number[] = []
      for (let index = 0; index < PROCESSES; index += 1) ports.push(await freePort())
      const cloud = new Cloud(folder, { pair, redis, store, ports, databaseUrl, executable })
      await cloud.#door.open()
      return cloud
    } catch (error) {
      await redis?.remove()
      await store.close()
      await pair.stop()
      throw error
    }
  }

  get url(): string {
    return this.#door.url
  }

  get size(): number {
    return PROCESSES
  }

  async start(): Promise<void> {
    for (let index = 0; index < PROCESSES; index += 1) this.startOne(index)
    await this.untilReady()
  }

  /** Starts a process without waiting. @param aheadMillis how far its clock is ahead */
  startOne(index: number, aheadMillis = 0): void {
    const child = spawn(this.#executables[index] as string, ['serve'], {
      env: {
        ...this.#env,
        INSTITUTE_BASE_URL: this.url,
        INSTITUTE_PORT: String(this.#ports[index]),
        INSTITUTE_DATA_DIR: this.dataDirs[index] as string,
        ...(aheadMillis > 0 && { NODE_OPTIONS: `--require=${SHIFTED_CLOCK}`, CLOCK_AHEAD_MILLIS: String(aheadMillis) }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on(
        'data',
        (chunk: Buffer) => (this.#output[index] = `${this.#output[index] ?? ''}${String(chunk)}`.slice(-4000)),
      )
    }
    this.#children[index] = child
    if (aheadMillis > 0) this.#ahead.set(index, aheadMillis)
    else this.#ahead.delete(index)
  }

  /** Replaces a process by one of this version, which takes the database along. */
  async renew(index: number): Promise<void> {
    await this.signal(index, 'SIGTERM')
    this.#executables[index] = EXECUTABLE
    this.startOne(index)
  }

  /** How many processes are of this version. */
  get renewed(): number {
    return this.#executables.filter((executable) => executable === EXECUTABLE).length
  }

  /** Waits until every process is ready. @throws their last words */
  async untilReady(): Promise<void> {
    const isReady = await until(async () => this.#door.readyCount === PROCESSES, START_MILLIS)
    if (!isReady) throw new Error(`The cloud did not start:\n${this.#output.join('\n')}`)
    for (const [index, millis] of this.#ahead) {
      if (!this.#output[index]?.includes(`The clock is ${millis} ms ahead`)) throw new Error('Its clock is not ahead')
    }
  }

  /** Sends a signal to one process. SIGKILL and SIGTERM: resolves once it has ended. */
  async signal(index: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.#children[index]
    if (!child) return
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await endProcess(child, signal)
    else child.kill(signal)
  }

  async kill(): Promise<void> {
    await Promise.all(this.#children.map((child) => endProcess(child, 'SIGKILL')))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.map((child) => endProcess(child, 'SIGTERM')))
  }

  yieldToOthers(): void {
    for (const { pid } of this.#children) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  }

  /** Ends the primary database, and promotes the standby. */
  failOver(): Promise<void> {
    return this.#pair.failOver()
  }

  /** Somebody signs up, as the owner of a new institute. */
  async newInstitute(): Promise<string> {
    const tenant = {
      slug: 'al-noor',
      name: 'معهد النور',
      defaultLocale: 'ar',
      timezone: 'Asia/Jerusalem',
      currency: 'ILS',
    }
    const { email, password } = OWNER
    const body = { email, password, fullName: `${OWNER.firstName} ${OWNER.lastName}`, tenant }
    const outside = new Caller(this)
    const { accessToken } = await outside.send('POST', '/auth/register', body)
    const token = await mailedToken(this, email, 'verify-email')
    await outside.send('POST', '/auth/verify-email', { token })
    return accessToken
  }

  async count(sql: string): Promise<number> {
    const client = new Client({ connectionString: this.#env.INSTITUTE_DATABASE_URL })
    await client.connect()
    try {
      const { rows } = await client.query<{ count: string }>(sql)
      return Number(rows[0]?.count)
    } finally {
      await client.end()
    }
  }

  async problems(): Promise<string[]> {
    return []
  }

  /** Ends the database too. */
  async remove(): Promise<void> {
    await this.kill()
    this.#door.close()
    await this.redis?.remove()
    await this.store.close()
    await this.#pair.stop()
  }
}

const SHIFTED_CLOCK = path.join(import.meta.dirname, 'shifted-clock.cjs')
