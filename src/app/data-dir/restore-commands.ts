import { SYSTEM } from '#executable/system-words.ts'
import { MASTER_KEY } from './layout.ts'
import { newestBackup } from './newest-backup.ts'

/** undefined also where the folder of backups cannot be read: these are only hints in error messages. */
const newest = (dataDir: string): string | undefined => {
  try {
    return newestBackup(dataDir)
  } catch {
    return undefined
  }
}

/** The command that restores the newest backup. */
export const restoreCommand = (dataDir: string): string => {
  const file = newest(dataDir)
  return file === undefined
    ? 'institute restore FILE, with a backup that is kept elsewhere'
    : `institute restore ${file}`
}

/** The command that restores the master key alone from the newest backup, for the owner of the data directory. */
export const masterKeyCommand = (dataDir: string): string => {
  const file = newest(dataDir)
  return file === undefined
    ? `from a backup, where it is data/${MASTER_KEY}, or from a copy of ${dataDir}`
    : SYSTEM.keyOutOf(file, dataDir, MASTER_KEY)
}
