import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { endProcess, untilUp } from './process.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** @returns why there is none; undefined: there is */
export const whyNoPgBouncer = (): string | undefined =>
  existsSync(PROGRAM) ? undefined : 'pgbouncer is not installed (apt-get install pgbouncer)'

/** A real PgBouncer in front of one database. */
export class TestPgBouncer {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
  }

  /** @param database the address of the database itself */
  static async start(database: string, mode: 'session' | 'transaction' | 'statement'): Promise<TestPgBouncer> {
    const { hostname, port: behind, pathname, username, password } = new URL(database)
    const folder = mkdtempSync(path.join(tmpdir(), 'institute-pgbouncer-'))
    const port = await freePort()
    const file = path.join(folder, 'pgbouncer.ini')
    const name = pathname.slice(1)
    const target = `host=${hostname} port=${behind} user=${username} password=${decodeURIComponent(password)}`
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: mode,
    }
    const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`)
    writeFileSync(file, ['[databases]', `${name} = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'))
    // It refuses to run as root.
    const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    const child = spawn(PROGRAM, [...asOther, file], { stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)))
    await untilUp(child, { isUp: () => output.includes('process up'), everyMillis: 20, output: () => output })
    const url = new URL(database)
    url.port = String(port)
    url.hostname = '127.0.0.1'
    return new TestPgBouncer(url.href, child, folder)
  }

  async stop(): Promise<void> {
    await endProcess(this.#child, 'SIGKILL')
    rmSync(this.#folder, { recursive: true })
  }
}
