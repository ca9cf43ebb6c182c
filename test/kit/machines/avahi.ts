import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Network } from '#ports/lan-name/port.ts'
import { endProcess } from '../process.ts'

const [DAEMON, IP] = ['/usr/sbin/avahi-daemon', '/usr/sbin/ip']

/** Why there is no machine with avahi; undefined: there is. */
export const whyNoAvahi = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root can make a network'
  return [DAEMON, IP].find((file) => !existsSync(file)) && 'avahi-daemon or iproute2 is not installed'
}

/** A network between this machine and one in a namespace of its own, until the test has ended. */
export class OfficeNetwork {
  static #made = 0
  /** This machine in it. */
  readonly here: Network = { address: '10.99.7.1', cidr: '10.99.7.1/24', ipv6: [] }

  readonly #space: string

  constructor() {
    const nth = (OfficeNetwork.#made += 1)
    this.#space = `institute-${process.pid}-${nth}`
    // A card's name has at most fifteen letters.
    const [own, other] = [`in${process.pid}a${nth}`, `in${process.pid}b${nth}`]
    const ip = (...args: string[]) => execFileSync(IP, args, { stdio: 'ignore' })
    ip('netns', 'add', this.#space)
    onTestFinished(() => void ip('netns', 'del', this.#space))
    ip('link', 'add', own, 'type', 'veth', 'peer', 'name', other, 'netns', this.#space)
    // The one of the namespace goes with it.
    onTestFinished(() => void ip('link', 'del', own))
    ip('addr', 'add', this.here.cidr, 'dev', own)
    ip('link', 'set', own, 'up')
    ip('-n', this.#space, 'addr', 'add', '10.99.7.2/24', 'dev', other)
    ip('-n', this.#space, 'link', 'set', other, 'up')
    ip('-n', this.#space, 'link', 'set', 'lo', 'up')
  }

  /** A machine of this name in it, as Linux has it. @returns what its avahi says */
  startAvahi(name: string): { said(): string } {
    const home = mkdtempSync(path.join(tmpdir(), 'institute-avahi-'))
    const file = path.join(home, 'avahi.conf')
    writeFileSync(file, `[server]\nhost-name=${name}\nuse-ipv6=no\nenable-dbus=no\n[publish]\npublish-workstation=no\n`)
    const options = ['--no-drop-root', '--no-chroot', '--no-rlimits', '--no-proc-title', '-f', file]
    const child = spawn(IP, ['netns', 'exec', this.#space, 'unshare', '--mount', 'sh', '-c', RUN, DAEMON, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
    onTestFinished(async () => {
      await endProcess(child, 'SIGKILL')
      rmSync(home, { recursive: true })
    })
    return { said: () => said }
  }
}

/** Its file with the process id is no other's. */
const RUN = 'mount -t tmpfs none /run && exec "$0" "$@"'
