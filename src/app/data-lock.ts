import path from 'node:path'
import { openLockFile } from '#db/sqlite.ts'
import { finishSwap } from './backup/swap.ts'

/** Another process works on this data directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another institute process is working on ${dataDir}. Stop it first.`)
    this.name = 'DataDirInUse'
  }
}

/**
 * Holds the data directory for this process. The lock is the operating system's, on a file of SQLite's, so it ends with
 * the process however that ends. Whoever holds it finds the directory whole: a restore that was killed is ended first.
 * @returns how to let go of it @throws DataDirInUse
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  const release = openLockFile(path.join(dataDir, '.lock'))
  if (!release) throw new DataDirInUse(dataDir)
  finishSwap(dataDir)
  return release
}

/** Whether a process works on the data directory now. */
export const isInUse = (dataDir: string): boolean => {
  const release = openLockFile(path.join(dataDir, '.lock'))
  release?.()
  return release === undefined
}
