import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const LONGEST_MILLIS = 120_000
const folder = path.resolve(import.meta.dirname, '../../.cache/debian')

/** Where a bare Debian is as soon as it is made, and a file that appears when it cannot be made. */
export const BARE_DEBIAN = { folder, missing: `${folder}.missing` }

/**
 * A vitest globalSetup that begins to make a root folder of Debian with only its base packages, once per checkout, from a
 * Debian mirror. It takes about 25 seconds, in which other tests run.
 */
export const setup = (): (() => Promise<void>) | undefined => {
  rmSync(BARE_DEBIAN.missing, { force: true })
  if (existsSync(folder)) return undefined
  mkdirSync(path.dirname(folder), { recursive: true })
  const giveUp = (): void => writeFileSync(BARE_DEBIAN.missing, '')
  if (process.getuid?.() !== 0) {
    giveUp()
    return undefined
  }
  const incoming = `${folder}.${process.pid}`
  const args = ['--variant=minbase', 'bookworm', incoming]
  // debootstrap lies outside a user's PATH, and needs other programs from there.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  const child = spawn('debootstrap', args, { stdio: 'ignore', env })
  // The time limit of `spawn` would go on for a program that does not exist, and keep the tests from ending.
  setTimeout(() => child.kill(), LONGEST_MILLIS).unref()
  const ended = once(child, 'close').then(([status]) => {
    if (status === 0) return renameSync(incoming, folder)
    rmSync(incoming, { recursive: true, force: true })
    giveUp()
  }, giveUp)
  return async () => {
    child.kill()
    await ended
  }
}
