import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { freePort } from '#kit/free-port.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE, Program } from '../school-day/program.ts'
import { makeFolder, run, type Ended } from './program.ts'

export const INSTALLER = path.resolve('installer')
export const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

export const copyInto = (target: string, source: string): void =>
  void execFileSync('cp', ['--archive', `${source}/.`, target])

export const isSame = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other))

const post = (program: Program, where: string, body: object): Promise<Response> =>
  fetch(`${program.url}/api/v1${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** What a server gets, the root folder of an install, and the data of an institute that is set up. */
export class Distribution {
  readonly folder = makeFolder()
  /** The build output for a server: executable, script, units, licences. */
  readonly dist = path.join(this.folder, 'dist')
  /** Another version: the same program with one more byte. */
  readonly newer = path.join(this.dist, 'newer')
  readonly #installed = path.join(this.folder, 'installed')
  readonly #whole = path.join(this.folder, 'whole')

  static async make(): Promise<Distribution> {
    const made = new Distribution()
    const { dist, newer } = made
    cpSync(INSTALLER, dist, { recursive: true })
    copyFileSync('LICENSE-NOTICE', path.join(dist, 'LICENSE-NOTICE'))
    copyFileSync(EXECUTABLE, path.join(dist, 'institute'))
    copyFileSync(EXECUTABLE, newer)
    appendFileSync(newer, '\n')
    mkdirSync(made.#installed)
    const { code, stderr } = await made.runUnder(made.#installed, 'install')
    if (code !== 0) throw new Error(stderr)
    mkdirSync(made.#whole)
    const program = new Program(made.#whole)
    await program.start()
    const { status } = await post(program, '/setup/bootstrap', newSetup(setupTokenIn(made.#whole)))
    await program.stop()
    if (status !== 201) throw new Error(`not set up: ${status}`)
    return made
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs the script for a root folder. */
  runUnder(root: string, ...args: string[]): Promise<Ended> {
    return run(['/bin/sh', path.join(this.dist, 'install.sh'), '--root', root, ...args], {
      cwd: this.folder,
      env: { PATH },
    })
  }

  /** A "new version" that prints its number and otherwise runs `script`. */
  versionThat(script: string): string {
    const file = path.join(mkdtempSync(path.join(this.folder, 'version-')), 'institute')
    writeFileSync(file, `#!/bin/sh\nif [ "$1" = version ]; then echo 9.9.9; exit; fi\n${script}\n`)
    chmodSync(file, 0o755)
    return file
  }

  /** A root folder in which it is installed, on a port that is free. @param mount puts a disk there first */
  async installed(mount: (root: string) => void = () => {}): Promise<Installed> {
    const root = mkdtempSync(path.join(this.folder, 'root-'))
    mount(root)
    copyInto(root, this.#installed)
    return Installed.in(this, root)
  }

  /** Lays an institute that is set up into a data directory. */
  setUp(data: string): void {
    copyInto(data, this.#whole)
  }
}

export class Installed {
  readonly root: string
  readonly data: string
  /** The executable. */
  readonly program: string
  /** The settings, as the script laid them. */
  readonly settings: string
  readonly #of: Distribution

  private constructor(of: Distribution, root: string) {
    this.#of = of
    this.root = root
    this.data = path.join(root, 'var/lib/institute')
    this.program = path.join(root, 'opt/institute/institute')
    this.settings = readFileSync(path.join(this.data, 'institute.conf'), 'utf8')
  }

  static async in(of: Distribution, root: string): Promise<Installed> {
    const made = new Installed(of, root)
    writeFileSync(path.join(made.data, 'institute.conf'), `# of this server\nINSTITUTE_PORT = "${await freePort()}"\n`)
    return made
  }

  run(...args: string[]): Promise<Ended> {
    return this.#of.runUnder(this.root, ...args)
  }

  setUp(): void {
    this.#of.setUp(this.data)
  }

  /**
   * Tools that copy the root before each file gets its name or goes: what a power cut there leaves.
   * @param copies where they lie, numbered
   * @returns a folder that goes first in PATH
   */
  copyingTools(copies: string): string {
    const bin = mkdtempSync(path.join(this.#of.folder, 'bin-'))
    for (const tool of ['mv', 'rm']) {
      // The programs are never written to, so links to them do.
      const copy = [
        `to=${copies}/$(find ${copies} -mindepth 1 -maxdepth 1 | wc -l)`,
        `/bin/mkdir $to`,
        `/bin/cp -al ${this.root}/opt ${this.root}/etc ${this.root}/usr $to`,
        `/bin/cp -a ${this.root}/var $to`,
      ]
      writeFileSync(path.join(bin, tool), `#!/bin/sh\n${copy.join('\n')}\nexec /bin/${tool} "$@"\n`)
      chmodSync(path.join(bin, tool), 0o755)
    }
    return bin
  }

  /** Whether its owner can sign in. */
  async isWhole(): Promise<boolean> {
    const program = new Program(this.data)
    await program.start()
    const { status } = await post(program, '/auth/login', { email: OWNER.email, password: OWNER.password })
    await program.stop()
    return status === 200
  }
}
