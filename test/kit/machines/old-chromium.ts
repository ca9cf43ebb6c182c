import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { extract } from 'tar'
import { writeFontConfig } from '../browser.ts'
import { endProcess } from '../process.ts'
import type { DrivenBrowser } from './driven.ts'

/** Chromium as old machines have it: 109 is the last for Windows 7 and 8. Playwright does not speak to all of them. */
export const OLD_CHROMIUMS = [92, 103, 109, 115, 119] as const
export type OldChromium = (typeof OLD_CHROMIUMS)[number]

const PACKAGES = path.join(import.meta.dirname, 'packages')
const HOME = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'old-browsers')
const INSTALL_MILLIS = 180_000

const run = promisify(execFile)
const unpacked = promisify(brotliDecompress)

/** Installs the packages that the lock file beside this one names, once: nobody but these tests needs their 280 MB. */
const install = async (): Promise<void> => {
  const lock = await readFile(path.join(PACKAGES, 'package-lock.json'), 'utf8')
  const kept = path.join(HOME, 'installed.json')
  if (existsSync(kept) && (await readFile(kept, 'utf8')) === lock) return
  await rm(HOME, { recursive: true, force: true })
  await mkdir(HOME, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    // oxlint-disable-next-line no-await-in-loop
    await copyFile(path.join(PACKAGES, name), path.join(HOME, name))
  }
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HOME, timeout: INSTALL_MILLIS })
  await writeFile(kept, lock)
}

/** Unpacks one, once. @returns its folder */
const unpack = async (version: OldChromium): Promise<string> => {
  const home = path.join(HOME, `unpacked-${version}`)
  if (existsSync(home)) return home
  const packed = path.join(HOME, 'node_modules', `chromium-${version}`, 'bin')
  const draft = await mkdtemp(`${home}.`)
  await writeFile(path.join(draft, 'chromium'), await unpacked(await readFile(path.join(packed, 'chromium.br'))))
  await chmod(path.join(draft, 'chromium'), 0o755)
  const libraries = path.join(draft, 'libraries.tar')
  await writeFile(libraries, await unpacked(await readFile(path.join(packed, 'aws.tar.br'))))
  await extract({ file: libraries, cwd: draft })
  await rename(draft, home)
  return home
}

/** Why there are none; undefined: there are. Where all checks run they have to be. */
export const whyNoOldChromium = async (): Promise<string | undefined> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'there are none for this machine'
  try {
    await install()
    return undefined
  } catch (error) {
    if (process.env.CI) throw error
    return `npm cannot install them: ${(error as Error).message.split('\n')[0]}`
  }
}

interface Answer {
  id?: number
  result?: Record<string, unknown>
  error?: { message: string }
}

/** Chromium's own protocol through two pipes: messages in JSON, each with a zero byte at its end. */
class Pipe {
  readonly #out: Writable
  readonly #waiting = new Map<number, { done: (result: Record<string, unknown>) => void; fail: (why: Error) => void }>()
  #lastId = 0
  #rest = ''

  constructor(out: Writable, answers: Readable) {
    this.#out = out
    answers.setEncoding('utf8')
    answers.on('data', (chunk: string) => this.#take(chunk))
    answers.on('close', () => {
      for (const { fail } of this.#waiting.values()) fail(new Error('The browser has ended'))
    })
    out.on('error', () => {})
  }

  #take(chunk: string): void {
    const messages = (this.#rest + chunk).split('\0')
    this.#rest = messages.pop() ?? ''
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message) as Answer
      const waiting = this.#waiting.get(id ?? -1)
      if (!waiting) continue
      this.#waiting.delete(id ?? -1)
      if (error) waiting.fail(new Error(error.message))
      else waiting.done(result ?? {})
    }
  }

  ask(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    const id = (this.#lastId += 1)
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail })
      this.#out.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`)
    })
  }
}

/** Starts one with an empty profile. The caller closes it. */
export const launchOldChromium = async (version: OldChromium): Promise<DrivenBrowser> => {
  const home = await unpack(version)
  const profile = await mkdtemp(path.join(tmpdir(), 'old-chromium-'))
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage']
  const child = spawn(
    path.join(home, 'chromium'),
    [...flags, '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--window-size=1100,800'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        LD_LIBRARY_PATH: path.join(home, 'lib'),
        FONTCONFIG_PATH: home,
        FONTCONFIG_FILE: await writeFontConfig(home),
      },
    },
  )
  const pipe = new Pipe(child.stdio[3] as Writable, child.stdio[4] as Readable)
  const { targetId } = await pipe.ask('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await pipe.ask('Target.attachToTarget', { targetId, flatten: true })
  const ask = (method: string, params?: object) => pipe.ask(method, params, sessionId as string)
  await ask('Page.enable')

  return {
    open: async (address) => void (await ask('Page.navigate', { url: address })),
    evaluate: async <T>(expression: string) => {
      const { result, exceptionDetails } = await ask('Runtime.evaluate', { expression, returnByValue: true })
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return (result as { value: T }).value
    },
    picture: async () => Buffer.from((await ask('Page.captureScreenshot'))['data'] as string, 'base64'),
    close: async () => {
      await endProcess(child, 'SIGKILL')
      await rm(profile, { recursive: true, force: true })
    },
  }
}
