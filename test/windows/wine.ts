import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'

/** Wine 10 is in Debian 13, which is laid into this folder once: 2 GB, two minutes. */
const ROOT = path.resolve(process.env.WINE_ROOT ?? '.cache/wine-root')
const NEEDED = ['debootstrap', 'unshare', 'chroot', 'ip', 'mount']

const has = (tool: string): boolean => spawnSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' }).status === 0

/** Why Wine cannot be had here; undefined: it can. */
export const whyNoWine = (): string | undefined => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'needs Linux on x64'
  if (process.getuid?.() !== 0) return 'needs root, for a chroot of Debian 13'
  const missing = NEEDED.filter((tool) => !has(tool))
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined
}

/** Lays Debian 13 with Wine, unless it is there. @throws Error where there is no mirror */
export const layWine = (): void => {
  if (existsSync(path.join(ROOT, 'usr/bin/wine-stable'))) return
  console.log(`Debian 13 with Wine is laid into ${ROOT}.`)
  const incoming = `${ROOT}.incoming`
  rmSync(incoming, { recursive: true, force: true })
  mkdirSync(path.dirname(incoming), { recursive: true })
  const how = { stdio: 'pipe' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  execFileSync('debootstrap', ['--variant=minbase', 'trixie', incoming], how)
  execFileSync('chroot', [incoming, 'apt-get', 'install', '-y', '--no-install-recommends', 'wine', 'wine64'], how)
  renameSync(incoming, ROOT)
}

/** Whether this process has a machine of its own, whose mounts, processes and network end with it. */
export const isInside = (): boolean => process.env.WINE_INSIDE !== undefined

/** Runs this script again in a machine of its own. @returns its exit code */
export const runInside = (script: string): number => {
  const apart = ['--mount', '--pid', '--net', '--ipc', '--fork', '--kill-child', '--mount-proc']
  const args = [...apart, process.execPath, ...process.execArgv, script]
  const { status } = spawnSync('unshare', args, { stdio: 'inherit', env: { ...process.env, WINE_INSIDE: '1' } })
  return status ?? 1
}

export interface Ended {
  code: number
  output: string
}

/** A Windows of its own, empty, under Wine. */
export class Windows {
  readonly #home: string
  #commands = 0

  /** Only in `runInside`. */
  constructor() {
    execFileSync('ip', ['link', 'set', 'lo', 'up'])
    for (const name of ['proc', 'dev', 'sys']) execFileSync('mount', ['--rbind', `/${name}`, path.join(ROOT, name)])
    mkdirSync(path.join(ROOT, 'root'), { recursive: true })
    this.#home = mkdtempSync(path.join(ROOT, 'root/try-'))
  }

  /** The path on this machine of one on drive C, such as ProgramData/Institute. */
  drive(name: string): string {
    return path.join(this.#home, 'wine/drive_c', name)
  }

  /**
   * Runs a program of Windows and waits for it. Its output goes into a file: of a pipe of Linux that Wine inherits, Node says
   * "open EBADF".
   */
  async run(...words: string[]): Promise<Ended> {
    return this.#inside('wine', ...words)
  }

  /** Ends Windows as a power cut does, and starts it, with its services. */
  async restart(): Promise<void> {
    await this.#inside('wineserver', '--kill')
    await this.#inside('wineserver', '--wait')
    // Without a program that is no service, Wine ends everything after some seconds.
    this.#start('pipe', 'wine', 'cmd', '/k')
  }

  async #inside(...words: string[]): Promise<Ended> {
    const { child, file } = this.#start('ignore', ...words)
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code: code ?? -1, output: readFileSync(file, 'utf8') }
  }

  #start(input: 'ignore' | 'pipe', ...words: string[]): { child: ChildProcess; file: string } {
    this.#commands += 1
    const file = path.join(this.#home, `output-${this.#commands}`)
    const output = openSync(file, 'w')
    const home = path.join('/root', path.basename(this.#home))
    const environment = {
      HOME: home,
      WINEPREFIX: `${home}/wine`,
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: '/tmp',
    }
    const child = spawn('chroot', [ROOT, ...words], { env: environment, stdio: [input, output, output] })
    closeSync(output)
    return { child, file }
  }

  /** Ends the processes of this name at once, as a power cut does. @returns how many there were */
  kill(name: string): number {
    const there = readdirSync('/proc').filter((id) => {
      try {
        return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')[0]?.endsWith(name)
      } catch {
        return false
      }
    })
    for (const id of there) process.kill(Number(id), 'SIGKILL')
    return there.length
  }

  /** Ends everything, and removes it. */
  remove(): void {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (Number(id) !== process.pid && Number(id) !== 1) process.kill(Number(id), 'SIGKILL')
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
