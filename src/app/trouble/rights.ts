import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { PLATFORM, type Platform } from '#executable/platform.ts'
import { SYSTEM } from '#executable/system-words.ts'

const OTHERS = 0o077

/** Whether a file's mode lets others in. On Windows modes say nothing: the access list of the folder does. */
export const letsOthersIn = ({ mode }: Pick<Stats, 'mode'>, platform = PLATFORM): boolean =>
  platform === 'unix' && (mode & OTHERS) !== 0

/**
 * Whether a file in this folder can be kept from other users. NTFS, FAT and network shares give all files the rights with
 * which they were mounted.
 * @returns undefined: it cannot be seen, because nothing can be written here
 */
const keepsOthersOut = (folder: string, platform: Platform): boolean | undefined => {
  const file = path.join(folder, `.rights-${randomUUID()}`)
  let handle: number
  try {
    handle = openSync(file, 'wx', 0o600)
  } catch {
    return undefined
  }
  try {
    return !letsOthersIn(fstatSync(handle), platform)
  } finally {
    closeSync(handle)
    rmSync(file)
  }
}

/** The kind of file system that holds a folder, as the system calls it: ext4, fuseblk, vfat; undefined: unknown. */
export const fileSystemOf = (folder: string, mounts = '/proc/self/mounts'): string | undefined => {
  try {
    const place = `${realpathSync(folder)}/`
    const [last] = readFileSync(mounts, 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .map(([, at = '', kind = '']) => ({
        at: at.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
        kind,
      }))
      .filter(({ at }) => at !== '' && place.startsWith(at === '/' ? at : `${at}/`))
      .toSorted((a, b) => b.at.length - a.at.length)
    return last?.kind
  } catch {
    return undefined
  }
}

/** On which disk a folder lies, in words. */
const diskOf = (folder: string): string => {
  const kind = fileSystemOf(folder)
  return kind === undefined ? 'a disk' : `a disk (${kind})`
}

/**
 * What to say of a data directory from which other users cannot be kept out; undefined: they can. Nothing in it is
 * changed.
 */
export const openToOthers = (dataDir: string, platform = PLATFORM): string | undefined => {
  if (keepsOthersOut(dataDir, platform) !== false) return undefined
  return `${dataDir} lies on ${diskOf(dataDir)} that keeps no rights, as NTFS, FAT and network shares do: everybody on this machine can read its keys and records, and chmod changes nothing; move it to a disk with ext4, xfs or btrfs, or mount this one for the program's user alone (uid=…,dmask=077,fmask=177; a share: uid=…,dir_mode=0700,file_mode=0600)`
}

/** What to say of a disk on which SQLite cannot share memory between the connections of a database. */
export const noDatabaseHere = (dataDir: string): string =>
  `${dataDir} lies on ${diskOf(dataDir)} on which no database can be kept, because its files cannot be mapped into memory: move it to ${SYSTEM.goodDisk}.`

/**
 * Keeps other users out of a file or folder.
 * @throws the system's error where others keep a right that the disk could take away
 */
export const keepOthersOut = (name: string, mode: 0o600 | 0o700, platform = PLATFORM): void => {
  try {
    chmodSync(name, mode)
  } catch (error) {
    // Where the disk keeps no rights, the start says so, and doctor.
    if (letsOthersIn(statSync(name), platform) && keepsOthersOut(path.dirname(name), platform) !== false) throw error
  }
}
