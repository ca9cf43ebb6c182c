import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { endProcess, untilUp } from './process.ts'

const INSTALLED = '/usr/bin/redis-server'
/** Debian's server is the program that checks its files, under another name. */
const PROGRAM = 'usr/bin/redis-check-rdb'
const PACKAGES = ['redis-tools', 'liblzf1', 'libjemalloc2', 'libatomic1']
const UNPACKED = path.join(import.meta.dirname, '..', '..', '.cache', 'redis')

/** Unpacks Debian's packages, which needs no root. @returns why there is none; undefined: there is */
const unpack = (): string | undefined => {
  if (existsSync(path.join(UNPACKED, PROGRAM))) return undefined
  mkdirSync(UNPACKED, { recursive: true })
  const quiet = { cwd: UNPACKED, stdio: 'ignore', timeout: 60_000 } as const
  try {
    for (const name of PACKAGES) execFileSync('apt-get', ['download', name], quiet)
    execFileSync('sh', ['-c', 'for package in *.deb; do dpkg -x "$package" .; done; rm *.deb'], quiet)
    return undefined
  } catch {
    rmSync(UNPACKED, { recursive: true, force: true })
    return 'neither is redis-server installed, nor can apt-get download it'
  }
}

export const whyNoRedis = (): string | undefined => (existsSync(INSTALLED) ? undefined : unpack())

/** A real Redis at one address, which tests end, stop and flush. */
export class TestRedis {
  readonly port: number
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'institute-redis-'))
  readonly #settings: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, settings: readonly string[]) {
    this.port = port
    this.#settings = settings
  }

  /** @param settings of redis-server, as `--requirepass`, `secret` */
  static async start(...settings: string[]): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), settings)
    await redis.start()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    let output = ''
    const child = spawn(this.#program(), this.#arguments(), {
      env: { LD_LIBRARY_PATH: `${UNPACKED}/usr/lib/x86_64-linux-gnu:${UNPACKED}/usr/lib/aarch64-linux-gnu` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
    this.#child = child
    const isUp = () => output.includes('Ready to accept connections')
    await untilUp(child, { isUp, everyMillis: 20, output: () => output })
  }

  #program(): string {
    if (existsSync(INSTALLED)) return INSTALLED
    const link = path.join(this.#folder, 'redis-server')
    if (!existsSync(link)) symlinkSync(path.join(UNPACKED, PROGRAM), link)
    return link
  }

  #arguments(): string[] {
    const fixed = {
      '--port': this.port,
      '--bind': '127.0.0.1',
      '--save': '',
      '--appendonly': 'no',
      '--dir': this.#folder,
    }
    return [...Object.entries(fixed).flatMap(([name, value]) => [name, String(value)]), ...this.#settings]
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Runs one command, as its operator. */
  async run(command: string, ...given: string[]): Promise<unknown> {
    const client = new Redis(this.url, { maxRetriesPerRequest: 0 })
    try {
      return await client.call(command, ...given)
    } finally {
      client.disconnect()
    }
  }

  /** Ends it at once; `start` begins it anew, with nothing in it. */
  async kill(): Promise<void> {
    if (this.#child) await endProcess(this.#child, 'SIGKILL')
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
