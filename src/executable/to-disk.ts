import { closeSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { PLATFORM } from './platform.ts'

/** Syncs a file's content, or the list of names in a folder, to the disk, so that it survives a power cut. */
export const syncToDisk = (name: string, platform = PLATFORM): void => {
  // Windows syncs no folder: NTFS has a journal of names. Of a file it syncs what a handle that may write has open.
  if (platform === 'windows' && statSync(name).isDirectory()) return
  const handle = openSync(name, platform === 'windows' ? 'r+' : 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Syncs a folder, so that new names in it survive a power cut. */
export const syncFolder = async (folder: string, platform = PLATFORM): Promise<void> => {
  if (platform === 'windows') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What Windows says while another program has a file open. A scanner of viruses opens each new one for a moment. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY'])
const PAUSE_MILLIS = 20
/** For a second in all. */
const TRIES = 50

const mayYetGo = (error: unknown, tried: number, platform: typeof PLATFORM): boolean =>
  platform === 'windows' && tried < TRIES && HELD.has((error as NodeJS.ErrnoException).code ?? '')

/** Gives a file another name, and replaces the one that has it. @throws the system's error */
export const moveFile = async (from: string, to: string, platform = PLATFORM, move = rename): Promise<void> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await move(from, to)
    } catch (error) {
      if (!mayYetGo(error, tried, platform)) throw error
      await pause(PAUSE_MILLIS)
    }
  }
}

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

/** The same at once, without a pause in which another change could come between. */
export const moveFileNow = (from: string, to: string, platform = PLATFORM, move = renameSync): void => {
  for (let tried = 1; ; tried += 1) {
    try {
      return move(from, to)
    } catch (error) {
      if (!mayYetGo(error, tried, platform)) throw error
      Atomics.wait(nobodyWakes, 0, 0, PAUSE_MILLIS)
    }
  }
}
