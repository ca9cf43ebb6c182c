import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { SYSTEM } from '#executable/system-words.ts'
import { DATABASE, LOCK } from '#app/data-dir/layout.ts'
import { noDatabaseHere } from '#app/trouble/rights.ts'
import { restoreCommand } from '#app/data-dir/restore-commands.ts'
import { failingDisk, fileTrouble, isFull, noRoom } from '#app/trouble/file-trouble.ts'
import { isService } from './command-line.ts'

/** Says that the database is damaged, and how to restore it. @param what SQLite's words; only the first are repeated */
export const damaged = (dataDir: string, what: string): string =>
  `${path.join(dataDir, DATABASE)} is damaged (${what.replaceAll(/\s+/g, ' ').slice(0, 200)}): stop the program${isService({ dataDir }) ? ` (${SYSTEM.stop})` : ''} and bring it back: ${restoreCommand(dataDir)}; what is there now is kept aside`

/** Finds the file that SQLite could not open: SQLite names neither the file nor the reason, the system does. */
const unopened = (dataDir: string): Error | undefined => {
  for (const name of [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, LOCK]) {
    try {
      closeSync(openSync(path.join(dataDir, name), 'r+'))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') return fileTrouble(error as NodeJS.ErrnoException, dataDir)
    }
  }
  return undefined
}

/**
 * Words an error of SQLite as one line that a person can act on.
 * @returns undefined: it is another kind of error
 */
export const databaseTrouble = (error: NodeJS.ErrnoException, dataDir: string): Error | undefined => {
  const { code = '', message } = error
  if (!code.startsWith('SQLITE_')) return undefined
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new Error(`${damaged(dataDir, message)}.`)
  if (code === 'SQLITE_FULL') return noRoom(dataDir)
  if (code.startsWith('SQLITE_BUSY')) {
    return new Error(
      `Another program holds ${path.join(dataDir, DATABASE)}: end it (${SYSTEM.whoHolds(path.join(dataDir, DATABASE))}).`,
    )
  }
  if (!/^SQLITE_(CANTOPEN|READONLY|IOERR|PERM)/.test(code)) return undefined
  const why = unopened(dataDir)
  if (why) return why
  if (isFull(dataDir)) return noRoom(dataDir)
  if (code.startsWith('SQLITE_IOERR_SHM')) return new Error(noDatabaseHere(dataDir))
  return code.startsWith('SQLITE_IOERR') ? failingDisk(dataDir, message) : undefined
}
