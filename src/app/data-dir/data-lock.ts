import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { openLockFile } from '#db/sqlite/sqlite.ts'
import { LOCK } from './layout.ts'
import { finishSwap } from './swap.ts'

/** Another process is working on this data directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another institute process is working on ${dataDir}. Stop it first.`)
    this.name = 'DataDirInUse'
  }
}

export type Release = () => void

const isLinux = process.platform === 'linux'

/** The name of an abstract Unix socket (Linux) for the folder. It is in no file system, so nobody can delete it. */
const socketOf = (dataDir: string): string => {
  const { dev, ino } = statSync(dataDir, { bigint: true })
  return `\0institute-${dev}-${ino}`
}

/**
 * Locks a folder on this machine, on Linux; elsewhere it does nothing. @returns a function that releases the lock;
 * undefined: another process holds it
 */
export const lockFolder = async (dataDir: string): Promise<Release | undefined> => {
  if (!isLinux) return () => {}
  const server = createServer((socket) => socket.destroy())
  server.listen(socketOf(dataDir))
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
  // Ignore errors of connections: `isFolderLocked` connects and hangs up at once.
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
 * Locks the data directory for this process. The operating system holds the lock and releases it however the process
 * ends. There are two locks: a SQLite lock file, which containers that share the folder see, and on Linux a socket for
 * the folder, which remains when somebody deletes the lock file. Before it returns, a restore that was killed is
 * finished, so the holder finds the directory complete.
 * @returns the function that releases the lock @throws DataDirInUse
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

/** Whether a process is working on the data directory now. */
export const isInUse = async (dataDir: string): Promise<boolean> => {
  if (await isFolderLocked(dataDir)) return true
  const file = path.join(dataDir, LOCK)
  if (!existsSync(file)) return false
  const release = openLockFile(file)
  release?.()
  return release === undefined
}
