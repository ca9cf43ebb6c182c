import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../free-port.ts'
import { endProcess, untilUp } from '../process.ts'
import type { DrivenBrowser } from './driven.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const BROWSERS = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/webkit2gtk-4.1/MiniBrowser`,
)
const SCREEN = '/usr/bin/Xvfb'

const browser = (): string | undefined => BROWSERS.find((file) => existsSync(file))

/** Why there is none; undefined: there is. */
export const whyNoWebkit = (): string | undefined => {
  if (!existsSync(DRIVER)) return 'webkit2gtk-driver is not installed'
  if (!browser()) return 'its MiniBrowser is not installed'
  return existsSync(SCREEN) ? undefined : 'xvfb is not installed, and it needs a screen'
}

const STORE = '/etc/ssl/certs'

/** Why it cannot be made to trust a certificate; undefined: it can. */
export const whyNoTrust = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root can give it a store of certificates of its own'
  return existsSync('/usr/sbin/update-ca-certificates') ? undefined : 'ca-certificates is not installed'
}

/**
 * Puts a root where Debian keeps those that all programs trust, in a store of its own.
 * @returns the command before a program that is to see that store
 */
const trusting = async (home: string, root: string): Promise<string[]> => {
  const [own, store] = [path.join(home, 'own'), path.join(home, 'store')]
  await mkdir(own)
  await mkdir(store)
  await writeFile(path.join(own, 'institute.crt'), root)
  execFileSync('/usr/sbin/update-ca-certificates', ['--localcertsdir', own, '--etccertsdir', store], {
    stdio: 'ignore',
  })
  return ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" "$1" && shift && exec "$@"', store, STORE]
}

/**
 * Starts WebKitGTK on a screen of its own, and speaks WebDriver to it. The caller closes it.
 * @param root a certificate, as PEM, that it trusts beside those of the system
 * @param waits whether `open` ends when the page is there, or has failed
 */
export const launchWebkit = async ({
  root,
  waits = false,
}: { root?: string; waits?: boolean } = {}): Promise<DrivenBrowser> => {
  const home = await mkdtemp(path.join(tmpdir(), 'webkit-'))
  const [command = DRIVER, ...before] = root === undefined ? [] : [...(await trusting(home, root)), DRIVER]
  // It takes a screen that is free, and says which.
  const screen = spawn(SCREEN, ['-displayfd', '1', '-screen', '0', '1100x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let display = ''
  screen.stdout.setEncoding('utf8').on('data', (chunk: string) => (display += chunk))
  await untilUp(screen, { isUp: () => display.endsWith('\n'), everyMillis: 20, output: () => display })

  const port = await freePort()
  const driver = spawn(command, [...before, `--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOME: home,
      DISPLAY: `:${display.trim()}`,
      // Neither a card nor a desktop is there.
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      NO_AT_BRIDGE: '1',
      GSETTINGS_BACKEND: 'memory',
    },
  })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', at: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`http://127.0.0.1:${port}${at}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await reply.json()) as { value: unknown }
    if (!reply.ok) throw new Error(`${at}: ${JSON.stringify(value)}`)
    return value
  }
  const isUp = () =>
    ask('GET', '/status').then(
      () => true,
      () => false,
    )
  await untilUp(driver, { isUp, everyMillis: 50, output: () => '' })
  const options = { binary: browser(), args: ['--automation'] }
  const session = (await ask('POST', '/session', {
    capabilities: { alwaysMatch: { pageLoadStrategy: waits ? 'normal' : 'none', 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string }
  const at = `/session/${session.sessionId}`

  return {
    open: async (url) => void (await ask('POST', `${at}/url`, { url })),
    evaluate: async <T>(expression: string) =>
      (await ask('POST', `${at}/execute/sync`, { script: `return ${expression}`, args: [] })) as T,
    // No picture: its driver waits for a frame, which does not come while nothing moves.
    close: async () => {
      await ask('DELETE', at).catch(() => {})
      await endProcess(driver, 'SIGKILL')
      await endProcess(screen, 'SIGKILL')
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
