/**
 * `npm run licences` writes LICENSE-NOTICE: all packages in the executable, including the runtime, with the full text
 * of their licences. With `--check` it compares the file instead, and exits with 1 when it is out of date.
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
const RUNTIME = /^node-linux-.*$/
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
  const sections = shipped(packages).map((folder) => section(folder, packages[folder] ?? {}))
  const head = 'Institute contains the following packages, each under its own licence.\n'
  return [head, ...sections.toSorted()].join(`\n${'='.repeat(80)}\n\n`)
}

/** The folders of all packages that the program needs at run time, including indirect dependencies. */
function shipped(packages: Record<string, Locked>): string[] {
  const found = new Set<string>()
  const visit = (folder: string): void => {
    const { dependencies, optionalDependencies } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const resolved = resolve(packages, folder, name)
      // The runtimes of all machines are one release, under one licence; only that of this machine is installed.
      const isOtherRuntime = RUNTIME.test(name) && name !== `node-${hostTarget()}`
      if (resolved === undefined || found.has(resolved) || isOtherRuntime) continue
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

function section(folder: string, { version, license }: Locked): string {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const texts = licenceTexts(path.join(root, folder))
  const body = texts.length > 0 ? texts.join('\n\n') : 'The package carries no licence text of its own.'
  return `${name.replace(RUNTIME, 'node')} ${version}\nLicence: ${license}\n\n${body}\n`
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
