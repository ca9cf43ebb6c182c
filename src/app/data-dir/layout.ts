import { CONFIGURATION } from '#app/config/config-file.ts'
import { STATE_FILE } from '#modules/licensing/index.ts'

/** Names in the data directory, and which of them belong into a backup. */
export const DATABASE = 'institute.db'
export const MASTER_KEY = 'master-key'
/** The configuration that came in a backup; a restore saves it but never puts it in force. */
export const CONFIGURATION_OF_BACKUP = `${CONFIGURATION}.from-backup`
export const BACKUPS = 'backups'
/** Says of what is here from which backup it was brought back, until the program has started on it. */
export const RESTORED = 'restored-from'
/** What this server remembers of updates. */
export const UPDATE_STATE = 'update-state'
/** The keys and certificates of this server for HTTPS. */
export const CERTIFICATES = 'https'
/** Uploaded files. */
export const FILES = 'files'
/** The lock file: one process at a time works on the folder. */
export const LOCK = '.lock'
/** Marks the folder as the home of an institute. */
export const BEGUN = '.begun'

const OF_THE_DATABASE = new Set([DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}-journal`])

/** Files that the program makes for itself and can make again: locks, extracted addons, unfinished work. */
export const isScratch = (name: string): boolean => name.startsWith('.')

const NOT_COPIED = new Set([
  BACKUPS,
  CONFIGURATION_OF_BACKUP,
  STATE_FILE,
  UPDATE_STATE,
  CERTIFICATES,
  RESTORED,
  'setup-token',
])

/**
 * Whether a backup copies this name as it is. The database is copied separately; a setup token is useless elsewhere; what
 * became of the licence's commands, and which updates were seen, is not to be brought back from the past; who got hold of a
 * backup with the keys for HTTPS could stand for the server in its network, also where the backup has left the house.
 */
export const isCopied = (name: string): boolean =>
  name !== '' && !isScratch(name) && !OF_THE_DATABASE.has(name) && !NOT_COPIED.has(name)

const KEPT_BY_RESTORE = new Set([BACKUPS, CONFIGURATION, STATE_FILE, UPDATE_STATE, CERTIFICATES])

/**
 * Whether a restore replaces this name with the backup's. A machine keeps its own configuration, and what became of the
 * licence's commands, which updates it has seen, and by what the devices around it know it: an old backup lifts no lock.
 */
export const isReplaced = (name: string): boolean => !isScratch(name) && !KEPT_BY_RESTORE.has(name)

const ASIDE = 'before-restore-'

/** The name of the folder, among the backups, that keeps what was there before a restore. */
export const asideOf = (now: string): string => `${ASIDE}${stampOf(now)}`

export const isAside = (name: string): boolean => name.startsWith(ASIDE)

/** Formats an instant as `2026-11-21T04-30-12-345Z`, which sorts by time and is a valid file name everywhere. */
export const stampOf = (instant: string): string => instant.replaceAll(/[:.]/g, '-')
