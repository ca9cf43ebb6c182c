/**
 * `npm run licences` writes LICENSE-NOTICE: all packages in the executable, including the runtime, with their
 * holders and the full text of each licence, once. With `--check` it compares the file instead, and exits with 1 when it is out of date.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostTarget } from './targets.ts'

interface Locked {
  version?: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const root = path.resolve(import.meta.dirname, '..')
const notice = path.join(root, 'LICENSE-NOTICE')
/** The runtime of one of the machines for which the executable is made. */
const RUNTIME = /^node-(?:linux|win)-.*$/
/** A checkout bundles its pages with them while it runs; the executable has what came out. */
const CHECKOUT_ONLY = new Set(['esbuild'])
/** The names of those who hold the rights stand in a licence's first lines. */
const FIRST_LINES = 12
const HOLDER = /^\W*(copyright\W+(?!license)\w|© |\(c\) |all rights reserved)/i
/** The end of an Apache licence, and what follows it at the end of a file: how to apply it, with the holder's own line. */
const END_OF_APACHE = /^ *END OF TERMS AND CONDITIONS$(?=[\s\S]{0,2000}$(?![\s\S]))/m
const HEAD = `Institute contains the following packages, each under its own licence: its name and version, who holds the
rights, and the number of its text. Each text stands once, below the list.
`
const licenceFile = /^(licen[cs]e|copying|notice)([._-](md|txt|mit|apache|font))?$/i

const written = generate()
if (!process.argv.includes('--check')) {
  writeFileSync(notice, written)
} else if (!existsSync(notice) || readFileSync(notice, 'utf8') !== written) {
  console.error('LICENSE-NOTICE is not what package-lock.json asks for: run `npm run licences`')
  process.exit(1)
}

function generate(): string {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const texts = new Map<string, { number: number; text: string }>()
  const numberOf = (text: string): number => {
    const key = comparable(text)
    const known = texts.get(key) ?? { number: texts.size + 1, text }
    texts.set(key, known)
    return known.number
  }
  const entries = shipped(packages)
    .map((folder) => ({ folder, title: titleOf(folder, packages[folder] ?? {}) }))
    .toSorted((one, other) => (one.title < other.title ? -1 : 1))
    .map(({ folder, title }) => {
      const parts = licenceTexts(path.join(root, folder)).map(withoutHolders)
      const holders = [...new Set(parts.flatMap((part) => part.holders))]
      const numbers = [...new Set(parts.filter(({ text }) => text !== '').map(({ text }) => numberOf(text)))]
      const where =
        numbers.length > 0 ? `Text ${numbers.join(' and ')}` : 'The package carries no licence text of its own.'
      return [title, ...holders, where].join('\n')
    })
  const bodies = [...texts.values()].map(({ number, text }) => `Text ${number}\n\n${text}\n`)
  return [`${HEAD}\n${entries.join('\n\n')}\n`, ...bodies].join(`\n${'='.repeat(80)}\n\n`)
}

/** The folders of all packages that the executable contains, including indirect dependencies. */
function shipped(packages: Record<string, Locked>): string[] {
  const found = new Set<string>()
  const visit = (folder: string): void => {
    const { dependencies, optionalDependencies } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const resolved = resolve(packages, folder, name)
      // The runtimes of all machines are one release, under one licence; only that of this machine is installed.
      const isOtherRuntime = RUNTIME.test(name) && name !== `node-${hostTarget()}`
      const isLeftOut = isOtherRuntime || CHECKOUT_ONLY.has(name)
      if (resolved === undefined || found.has(resolved) || isLeftOut) continue
      found.add(resolved)
      visit(resolved)
    }
  }
  visit('')
  return [...found]
}

/**
 * The folder of the package `name` as the package in `folder` resolves it: in its own node_modules, or in those above.
 */
function resolve(packages: Record<string, Locked>, folder: string, name: string): string | undefined {
  const candidate = path.posix.join(folder, 'node_modules', name)
  if (candidate in packages) return candidate
  if (folder === '') return undefined
  return resolve(packages, folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0)), name)
}

function titleOf(folder: string, { version, license }: Locked): string {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return `${name.replace(RUNTIME, 'node')} ${version}\nLicence: ${license}`
}

/**
 * Takes the lines that name who holds the rights out of the first lines of a licence: they differ from package to package
 * while the text below them is the same.
 */
function withoutHolders(licence: string): { holders: string[]; text: string } {
  const end = END_OF_APACHE.exec(licence)
  const [body, appendix] = end
    ? [licence.slice(0, end.index + end[0].length), licence.slice(end.index + end[0].length)]
    : [licence, '']
  const lines = body.split('\n')
  const isHolder = (line: string, at: number): boolean => at < FIRST_LINES && HOLDER.test(line)
  const applied = appendix.split('\n').filter((line) => HOLDER.test(line) && !line.includes('[yyyy]'))
  return {
    holders: [...lines.filter(isHolder), ...applied].map((line) => line.trim()),
    text: lines
      .filter((line, at) => !isHolder(line, at))
      .join('\n')
      .trim(),
  }
}

/** The words of a text alone: packages wrap, title and quote the same licence in different ways. */
function comparable(text: string): string {
  return text
    .replace(/^\W*(the )?[\w-]+ licen[sc]e( \(\w+\))?\W*\n/i, '')
    .toLowerCase()
    .replaceAll('https://', 'http://')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** The licence files of a package, including those of third-party sources one folder down. */
function licenceTexts(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [entry.name]
    if (!entry.isDirectory() || entry.name === 'node_modules') return []
    return readdirSync(path.join(folder, entry.name)).map((file) => path.join(entry.name, file))
  })
  return files
    .filter((file) => licenceFile.test(path.basename(file)))
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
}
