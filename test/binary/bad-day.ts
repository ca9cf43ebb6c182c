import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { announced, png, sha256 } from '#kit/files.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { makeFolder, run, Server, type Ended } from './program.ts'

interface Surroundings {
  env?: Record<string, string>
  uid?: number
}

/** The packaged program, and an institute that is set up, with a file and a backup, to be spoilt in copies. */
export class Trial {
  readonly folder = makeFolder()
  readonly program = path.join(this.folder, 'institute')
  readonly #whole = path.join(this.folder, 'whole')

  static ofFile(): Trial {
    const trial = new Trial()
    beforeAll(() => trial.#setUp())
    afterAll(() => rmSync(trial.folder, { recursive: true, force: true }))
    return trial
  }

  /** Runs a command to its end, with nothing of this process's environment. */
  run(args: readonly string[], { env = {}, uid }: Surroundings = {}): Promise<Ended> {
    const quiet = { INSTITUTE_LOG_LEVEL: 'error', ...env }
    return run([this.program, ...args], { cwd: this.folder, env: quiet, ...(uid !== undefined && { uid }) })
  }

  /** `institute serve` that is up, until the test has ended. */
  async serve(dataDir: string, args: readonly string[] = ['--port', '0']): Promise<Server> {
    const env = { INSTITUTE_DATA_DIR: dataDir }
    const server = await Server.start([this.program, 'serve', ...args], { cwd: this.folder, env })
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    return server
  }

  /** Runs a script of the shell that knows pipes best. */
  shell(script: string): Promise<Ended> {
    return run(['/bin/bash', '--norc', '-c', script], { cwd: this.folder, env: { PATH: '/usr/bin:/bin' } })
  }

  /** A copy of the institute that belongs to a user. */
  copy(uid?: number): string {
    const dataDir = path.join(this.emptyFolder(), 'data')
    execFileSync('cp', ['--archive', this.#whole, dataDir])
    if (uid !== undefined) {
      chownSync(dataDir, uid, uid)
      for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
        chownSync(path.join(dataDir, name), uid, uid)
      }
    }
    return dataDir
  }

  /** An empty folder that every user may enter. */
  emptyFolder(): string {
    const folder = mkdtempSync(path.join(this.folder, 'empty-'))
    chmodSync(folder, 0o755)
    return folder
  }

  /** What a command on a data directory says. */
  told(dataDir: string, args: readonly string[], { env, ...who }: Surroundings = {}): Promise<Ended> {
    return this.run(args, { ...who, env: { INSTITUTE_DATA_DIR: dataDir, ...env } })
  }

  /** One line and nothing else; in it `{data}` is the data directory, `{backup}` the backup there. */
  line(dataDir: string, code: number, says: string): Ended {
    return { code, stdout: '', stderr: `${this.#written(dataDir, says)}\n` }
  }

  /** The lines of what doctor finds wrong; it goes on to the last check whatever that is. */
  async wrongIn(dataDir: string, surroundings: Surroundings = {}): Promise<string[]> {
    const { code, stdout, stderr } = await this.told(dataDir, ['doctor'], surroundings)
    const lines = stdout.trimEnd().split('\n')
    const isWhole = lines.every((line) => /^(ok     |warning|WRONG  ) {2}[a-z]+ +\S.+$/.test(line))
    if (!isWhole || !lines.at(-1)?.includes('vendor') || code !== 1 || stderr !== '') throw new Error(stdout + stderr)
    return lines.filter((line) => line.startsWith('WRONG'))
  }

  /** A line of doctor's. */
  finding(dataDir: string, about: string, says: string): string {
    return `WRONG    ${about.padEnd(8)}  ${this.#written(dataDir, says)}`
  }

  #written(dataDir: string, says: string): string {
    const [backup = ''] = readdirSync(path.join(this.#whole, 'backups'))
    return says.replaceAll('{backup}', path.join(dataDir, 'backups', backup)).replaceAll('{data}', dataDir)
  }

  async #setUp(): Promise<void> {
    copyFileSync(EXECUTABLE, this.program)
    chmodSync(this.program, 0o755)
    const env = { INSTITUTE_DATA_DIR: this.#whole }
    const server = await Server.start([this.program, 'serve', '--port', '0'], { cwd: this.folder, env })
    const { accessToken } = await this.#post(server, '/setup/bootstrap', newSetup(setupTokenIn(this.#whole)), '')
    const bytes = png()
    const asked = await this.#post(server, '/files/upload-url', announced(bytes), accessToken)
    const { pathname, search } = new URL(asked.uploadUrl as string)
    const headers = { 'content-type': 'image/png' }
    await fetch(`${server.url}${pathname}${search}`, { method: 'PUT', headers, body: new Uint8Array(bytes) })
    const completed = { ...announced(bytes), storageKey: asked.storageKey, sha256: sha256(bytes) }
    await this.#post(server, '/files/complete', completed, accessToken)
    if ((await server.stop()) !== 0) throw new Error(server.stderr)
    const { code, stderr } = await this.run(['backup', '--data-dir', this.#whole])
    if (code !== 0) throw new Error(stderr)
  }

  async #post(server: Server, where: string, body: object, token = ''): Promise<Record<string, string>> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const reply = await fetch(`${server.url}/api/v1${where}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const answered = (await reply.json()) as Record<string, string>
    if (!reply.ok) throw new Error(`${where}: ${JSON.stringify(answered)}`)
    return answered
  }
}
