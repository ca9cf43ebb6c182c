import { lstatSync, readlinkSync, statfsSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'
import { SYSTEM } from '#executable/system-words.ts'
import { Mistake } from './mistake.ts'
import { userArgument, userName } from './user-names.ts'

type Code = string | undefined

const found = (name: string): Stats | undefined => {
  try {
    return statSync(name)
  } catch {
    return undefined
  }
}

/** The path itself, or its nearest parent that this process can see: that one is the obstacle. */
const nearest = (name: string): { place: string; stats: Stats } => {
  const stats = found(name)
  return stats ? { place: name, stats } : nearest(path.dirname(name))
}

/** Says which part of a path should be a folder and is a file or a broken link; undefined: none is. */
const notFolder = (folder: string): string | undefined => {
  const above = path.dirname(folder) === folder ? undefined : notFolder(path.dirname(folder))
  if (above !== undefined) return above
  const stats = found(folder)
  if (stats) return stats.isDirectory() ? undefined : `${folder} is a file, and must be a folder`
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  return isLink ? `${folder} is a link to ${readlinkSync(folder)}, which is not there` : undefined
}

const isWithin = (name: string, folder: string): boolean => name.startsWith(`${folder}${path.sep}`)

/** What is wrong with a path that must be a folder, and what to do; undefined: nothing, or it does not exist. */
export const brokenFolder = (folder: string, dataDir: string): string | undefined => {
  const what = notFolder(folder)
  if (what === undefined) return undefined
  if (what.includes('is a link')) return `${what}: mount its disk, or remove the link`
  return `${what}: ${isWithin(folder, dataDir) && !notFolder(dataDir) ? 'move it away' : 'name another place'}`
}

/** The command that gives the data directory and everything in it to one user. */
export const giveBack = (dataDir: string, uid: number): string => `sudo chown -R ${userArgument(uid)}: ${dataDir}`

const remedy = (place: string, owner: number, dataDir: string): string => {
  const me = process.geteuid?.() ?? 0
  if (me === 0)
    return `the system forbids it even to root (lsattr, the network disk or SELinux may say why): name another place`
  if (owner === me) return `its mode forbids it: chmod u+rwX ${place}`
  const isMine = found(dataDir)?.uid === me
  if (isMine && isWithin(place, dataDir)) return `give it back: ${giveBack(dataDir, me)}`
  const isInstitute = place === dataDir || isWithin(place, dataDir)
  if (isInstitute && owner === 0) {
    return `put sudo before the command, or, where the institute runs as ${userName(me)}: ${giveBack(dataDir, me)}`
  }
  if (isInstitute) return `put sudo before the command, or run it as ${userName(owner)}`
  return `put sudo before the command, give ${userName(me)} the right, or name another place`
}

/** Says who may not use a path, whose it is, and what to do. @param name a path that this process may not read or write */
export const noPermission = (name: string, dataDir: string): Mistake => {
  const { place, stats } = nearest(name)
  const id = process.geteuid?.()
  if (id === undefined) return new Mistake(`This user may not work with ${place}: ${SYSTEM.writable(place)}.`)
  const me = userName(id)
  return new Mistake(
    `${me} may not work with ${place}, which belongs to ${userName(stats.uid)}: ${remedy(place, stats.uid, dataDir)}.`,
  )
}

/** The folder that holds a path, or the nearest parent that exists. */
const folderOf = (name: string): string => {
  const { place, stats } = nearest(name)
  return stats.isDirectory() ? place : path.dirname(place)
}

/** Whether the disk has no free bytes or no free inodes. */
export const isFull = (folder: string): boolean => {
  const { bavail, bsize, files, ffree } = statfsSync(folderOf(folder))
  return bavail * bsize < 64 * 1024 || (files > 0 && ffree === 0)
}

export const noRoom = (name: string): Error => {
  const place = folderOf(name)
  const { files, ffree } = statfsSync(place)
  const isOfFiles = files > 0 && ffree === 0
  return new Error(
    `There is no room left on the disk of ${place}${isOfFiles ? ' for another file' : ''}; nothing was changed. Make room there (${SYSTEM.roomOf(place, isOfFiles)}), then try again.`,
  )
}

export const readOnlyDisk = (name: string): Error =>
  new Error(`The disk of ${folderOf(name)} is mounted read-only, and nothing can be written: ${SYSTEM.readOnlyDisk}.`)

export const failingDisk = (name: string, reason: string): Error =>
  new Error(
    `The disk of ${folderOf(name)} fails (${reason}): ${SYSTEM.whatOfDisk}, and take a backup to another machine.`,
  )

const NO_PERMISSION = new Set<Code>(['EACCES', 'EPERM'])
const NOT_A_FOLDER = new Set<Code>(['ENOTDIR', 'EEXIST'])
const NO_ROOM = new Set<Code>(['ENOSPC', 'EDQUOT'])

/**
 * Words an error of the file system as one line that a person can act on.
 * @returns undefined: it is another kind of error
 */
export const fileTrouble = (error: NodeJS.ErrnoException & { dest?: string }, dataDir: string): Error | undefined => {
  const { code, syscall, message } = error
  // A copy fails for lack of room at its destination.
  const name = (code === 'ENOSPC' && error.dest) || error.path || dataDir
  if (NO_PERMISSION.has(code)) return noPermission(name, dataDir)
  if (NO_ROOM.has(code)) return noRoom(name)
  if (code === 'EROFS') return readOnlyDisk(name)
  if (code === 'EIO') return failingDisk(name, 'EIO')
  if (NOT_A_FOLDER.has(code)) {
    const what = brokenFolder(name, dataDir) ?? brokenFolder(path.dirname(name), dataDir)
    return new Mistake(what === undefined ? message : `${what}.`)
  }
  if (code === 'EISDIR') return new Mistake(`${name} is a folder, and must be a file: move it away.`)
  if (code === 'ENOENT' && syscall === 'mkdir') {
    return new Mistake(`No folder can be made in ${nearest(name).place}: name another place.`)
  }
  if (code === 'ENOENT') return new Error(`There is no ${error.path ?? 'such file'}.`)
  return undefined
}
