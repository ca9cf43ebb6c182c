import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { openLockFile } from '#db/sqlite.ts'
import { LOCK } from './backup/layout.ts'
import { finishSwap } from './backup/swap.ts'

/** Another process works on this data directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another institute process is working on ${dataDir}. Stop it first.`)
    this.name = 'DataDirInUse'
  }
}

type Release = () => void

const isLinux = process.platform === 'linux'

/** A name for the folder itself, which no file can be removed from under: a socket that lies in no file system. */
const socketOf = (dataDir: string): string => {
  const { dev, ino } = statSync(dataDir, { bigint: true })
  return `\0institute-${dev}-${ino}`
}

/** @returns undefined: another process holds it */
const lockFolder = async (dataDir: string): Promise<Release | undefined> => {
  if (!isLinux) return () => {}
  const server = createServer((socket) => socket.destroy())
  server.listen(socketOf(dataDir))
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
  // Whoever asks and goes away at once is of no interest.
  server.on('error', () => {})
  server.unref()
  return () => void server.close()
}

const isFolderLocked = async (dataDir: string): Promise<boolean> => {
  if (!isLinux) return false
  const socket = connect(socketOf(dataDir))
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * Holds the data directory for this process. The lock is the operating system's, and so ends with the process however
 * that ends. It is on a file of SQLite's, and on Linux, beside it, on the folder: the file may be removed, and containers
 * that share the folder see the file's alone. Whoever holds it finds the directory whole: a restore that was killed is
 * ended first.
 * @returns how to let go of it @throws DataDirInUse
 */
export const lockDataDir = async (dataDir: string): Promise<Release> => {
  const releaseFolder = await lockFolder(dataDir)
  if (!releaseFolder) throw new DataDirInUse(dataDir)
  try {
    const releaseFile = openLockFile(path.join(dataDir, LOCK))
    if (!releaseFile) throw new DataDirInUse(dataDir)
    finishSwap(dataDir)
    return () => {
      releaseFile()
      releaseFolder()
    }
  } catch (error) {
    releaseFolder()
    throw error
  }
}

/** Whether a process works on the data directory now. */
export const isInUse = async (dataDir: string): Promise<boolean> => {
  if (await isFolderLocked(dataDir)) return true
  const file = path.join(dataDir, LOCK)
  if (!existsSync(file)) return false
  const release = openLockFile(file)
  release?.()
  return release === undefined
}
