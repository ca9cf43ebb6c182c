import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { getAssetKeys, isSea } from 'node:sea'
import { ADDONS, readAsset } from '#executable/assets.ts'
import { SYSTEM } from '#executable/system-words.ts'
import { moveFileNow } from '#executable/to-disk.ts'
import { makeFolders } from './make-folders.ts'
import { keepOthersOut } from '#app/trouble/rights.ts'

/** The oldest glibc on which the runtime and the addons work. install.sh checks the same. */
export const LEAST_GLIBC = '2.34'

/** Error codes of the disk and its permissions, which have explanations of their own. */
const OF_THE_DISK = new Set(['EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

const addons = new Map<string, unknown>()

/**
 * Makes the native addons of the executable usable in this thread; call it once the configuration is read and before
 * the database opens or a password is hashed. The system loads a library only from a file, so each addon is written to
 * `<data dir>/.native/<its SHA-256>/`. The data directory is the one folder that a service surely owns: its user may
 * have no home, or one that forbids writing or executing. A file that differs from the addon is replaced. In a checkout
 * this does nothing: packages find their addons themselves.
 *
 * @throws Error in one line when the folder cannot be written, or forbids loading programs
 */
export function loadNative(dataDir: string): void {
  if (!isSea()) return
  for (const asset of getAssetKeys()) {
    const name = path.basename(asset, '.node')
    if (!asset.startsWith(ADDONS) || addons.has(name)) continue
    const folder = path.join(dataDir, '.native')
    const file = path.resolve(folder, asset.slice(ADDONS.length))
    try {
      extract(folder, file, asset)
      addons.set(name, load(file))
    } catch (cause) {
      if (OF_THE_DISK.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause
      throw new Error(explainLoadFailure(folder, cause instanceof Error ? cause.message : String(cause)), { cause })
    }
  }
}

/** The message for an addon that cannot be loaded, for the person who installed the program. */
export const explainLoadFailure = (folder: string, reason: string): string =>
  /version `GLIBC\w*_[\d.]+' not found/.test(reason)
    ? `This Linux is too old: Institute needs glibc ${LEAST_GLIBC} or newer, as in Debian 12 and Ubuntu 22.04.`
    : `${folder} must be a folder that this user owns and may load programs from, ${SYSTEM.mayNotLoad}: ${reason}`

/**
 * Returns a native addon; the bundle's packages call this instead of their own search for it.
 *
 * @public used by build/addons.ts
 * @throws Error when `loadNative` has not been called in this thread
 */
export function nativeAddon(name: string): unknown {
  const addon = addons.get(name)
  if (addon === undefined) throw new Error(`The addon ${name} was used before loadNative`)
  return addon
}

function extract(folder: string, file: string, asset: string): void {
  makeFolders(path.dirname(file))
  // A correct mode is not set again: the disk may be read-only.
  if ((statSync(folder).mode & 0o777) !== 0o700) keepOthersOut(folder, 0o700)
  if (isGenuine(file)) return
  const incoming = `${file}.${randomUUID()}`
  const bytes = readAsset(asset)
  writeFileSync(incoming, bytes, { mode: 0o600, flag: 'wx' })
  // Gives the memory back now: a program that is at rest collects its garbage after minutes.
  bytes.buffer.transfer(0)
  moveFileNow(incoming, file)
}

/** Whether the file is the addon, which need not be unpacked to know it: its folder is called by its hash. */
function isGenuine(file: string): boolean {
  try {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    return hash === path.basename(path.dirname(file))
  } catch {
    return false
  }
}

function load(file: string): unknown {
  const addon = { exports: {} }
  process.dlopen(addon, file)
  return addon.exports
}
