import path from 'node:path'
import { BACKUPS } from './layout.ts'
import { backupsIn } from './backup-names.ts'

/** The file of the newest backup in the data directory, of whatever kind; undefined: there is none. */
export const newestBackup = (dataDir: string): string | undefined => {
  const folder = path.join(dataDir, BACKUPS)
  const [newest] = backupsIn(folder)
  return newest && path.join(folder, newest.name)
}
