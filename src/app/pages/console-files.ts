import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { isSea } from 'node:sea'
import { once } from '#kernel/basics/once.ts'
import type { Locale } from '#shared/locale.ts'
import { assetNames, inCheckout, readAsset, readCompressedAsset } from '#executable/assets.ts'
import { servedFile, type ServedFile } from './page-file.ts'

/** The pages beside the console, under the names of their scripts in web-setup/pages. */
export const BESIDE_CONSOLE = [
  'authorize',
  'invitation',
  'license',
  'reset-password',
  'verify-email',
  'wizard',
] as const
export type PageName = 'console' | (typeof BESIDE_CONSOLE)[number]

/** What a page loads first: names of files of the console. */
export interface PageStart {
  script: string
  style: string
  /** Chunks that the script imports. */
  modules: string[]
  /** What it says first, in the language that it will most probably choose. */
  words?: Readonly<Record<Locale, string[]>>
}

export interface ConsoleFiles {
  starts: Readonly<Record<PageName, PageStart>>
  files: ReadonlyMap<string, ServedFile>
}

const START = 'start.json'
const PREFIX = 'console/'

const parseStarts = (json: Buffer): ConsoleFiles['starts'] =>
  JSON.parse(json.toString('utf8')) as ConsoleFiles['starts']

const packed = once((): ConsoleFiles => ({
  starts: parseStarts(readAsset(PREFIX + START)),
  files: new Map(
    assetNames(PREFIX).map((name) => [
      name.slice(PREFIX.length),
      servedFile(name, () => readAsset(name), { packed: () => readCompressedAsset(name) }),
    ]),
  ),
}))

/** In milliseconds since 1970. */
const newestSource = (): number => {
  // They share a few files with the server.
  const entries = ['src/console', 'src/shared', 'web-setup'].flatMap((folder) =>
    readdirSync(inCheckout(folder), { recursive: true, withFileTypes: true }),
  )
  return Math.max(...entries.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs))
}

const LARGEST_OUTPUT = 64 * 1024 * 1024

const bundle = (): ConsoleFiles => {
  const output = execFileSync(process.execPath, [inCheckout('build/console.ts')], { maxBuffer: LARGEST_OUTPUT })
  const made = Object.entries(JSON.parse(output.toString('utf8')) as Record<string, string>)
  const bytes = new Map(made.map(([name, base64]) => [name, Buffer.from(base64, 'base64')]))
  return {
    starts: parseStarts(bytes.get(START) as Buffer),
    files: new Map([...bytes].map(([name, body]) => [name, servedFile(name, () => body)])),
  }
}

let bundled: ConsoleFiles | undefined
let bundledAt = 0

/** Bundles the sources again when one has changed: whoever works on the console reloads the page. */
const bundledNow = (): ConsoleFiles => {
  const changedAt = newestSource()
  if (!bundled || changedAt > bundledAt) {
    bundled = bundle()
    bundledAt = changedAt
  }
  return bundled
}

/** The files of the console: the executable contains them, and a checkout bundles them when somebody opens a page. */
export const consoleFiles = (): ConsoleFiles => (isSea() ? packed() : bundledNow())

/** The file of this name. Only pages look for changed sources, since a page names seventy files. */
export const consoleFile = (name: string): ServedFile | undefined =>
  (isSea() || !bundled ? consoleFiles() : bundled).files.get(name)
