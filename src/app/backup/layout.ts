import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Names in the data directory, and which of them a backup holds. */
export const DATABASE = 'institute.db'
export const MASTER_KEY = 'master-key'
export const CONFIGURATION = 'institute.conf'
/** That of a backup, which no restore puts in force. */
export const CONFIGURATION_OF_BACKUP = `${CONFIGURATION}.from-backup`
export const BACKUPS = 'backups'
/** Uploaded files. */
export const FILES = 'files'
/** Holds the folder for one process. */
export const LOCK = '.lock'
/** Says that an institute lives in the folder. */
export const BEGUN = '.begun'

const OF_THE_DATABASE = new Set([DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}-journal`])

/** What the program makes for itself and can make again: locks, extracted addons, work under way. */
export const isScratch = (name: string): boolean => name.startsWith('.')

const NOT_COPIED = new Set([BACKUPS, CONFIGURATION_OF_BACKUP, 'setup-token'])

/** Copied as it is; the database is copied in a way of its own. A setup token is worth nothing elsewhere. */
export const isCopied = (name: string): boolean =>
  name !== '' && !isScratch(name) && !OF_THE_DATABASE.has(name) && !NOT_COPIED.has(name)

/** Makes way for what a backup brings back. A machine keeps its own configuration. */
export const isReplaced = (name: string): boolean => !isScratch(name) && name !== BACKUPS && name !== CONFIGURATION

/** Makes what was written to a file, or which names a folder holds, last through a power cut. */
export const syncToDisk = (name: string): void => {
  const handle = openSync(name, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** `2026-11-21T04-30-12-345Z`: sorts by time and is a file name everywhere. */
export const stampOf = (instant: string): string => instant.replaceAll(/[:.]/g, '-')
