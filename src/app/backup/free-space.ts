import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

const MEGABYTE = 1024 * 1024

/** What stays free for the institute's own work. */
export const RESERVE_BYTES = 256 * MEGABYTE

const megabytes = (bytes: number): string => `${Math.ceil(bytes / MEGABYTE)} MB`

/** The largest file that can be received there and unpacked beside itself: what it holds is never smaller. */
export const mostBytesIn = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return Math.max(0, Math.floor((bavail * bsize - RESERVE_BYTES) / 2))
}

/** The disk has not enough room for a backup; nothing was written. */
export class NoRoom extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NoRoom'
  }
}

/**
 * @param bytes the most that is to be written into `folder`
 * @param reserve bytes that must be left then
 * @throws NoRoom
 */
export const assertRoom = async (folder: string, bytes: number, reserve: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes + reserve) return
  throw new NoRoom(
    `There is no room for a backup: it takes up to ${megabytes(bytes)}, and ${megabytes(reserve)} must stay free, but ${megabytes(free)} are free. Make room, or keep fewer nightly backups (INSTITUTE_BACKUP_KEEP).`,
  )
}
