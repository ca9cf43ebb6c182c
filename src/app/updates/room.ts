import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { UpdateRefused } from './refused.ts'

/** What putting a version in takes on the disk, as a multiple of what was downloaded: unpacked, kept and backed up. */
const ROOM = 6

const MEGABYTE = 1024 * 1024

/** Bytes that are free on the disk of a folder. */
export const freeOn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Says which disk lacks how much. */
export const noRoom = (folder: string, needed: number, free: number): UpdateRefused =>
  new UpdateRefused(
    'disk_full',
    `the disk of ${folder} needs ${Math.ceil(needed / MEGABYTE)} MB, and has ${Math.floor(free / MEGABYTE)} MB`,
  )

/** @throws UpdateRefused unless the disk of the folder takes what a release of this size becomes */
export const assertRoomFor = async (
  folder: string,
  size: number,
  free: (folder: string) => Promise<number> = freeOn,
): Promise<void> => {
  const there = await free(folder)
  if (there < size * ROOM) throw noRoom(folder, size * ROOM, there)
}

/** The same, for the updater. */
export const assertRoomNow = (folder: string, size: number): void => {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < size * ROOM) throw noRoom(folder, size * ROOM, bavail * bsize)
}

/** What the system's programs and this one's commands say of a full disk, in English. */
const SAID = /No space left on device|Disk quota exceeded|There is no room /

/** What a program that failed said of a full disk; undefined: nothing. */
export const saidOfRoom = (output: string): UpdateRefused | undefined => {
  const line = output.split('\n').find((one) => SAID.test(one))
  return line === undefined ? undefined : new UpdateRefused('disk_full', line.trim())
}
