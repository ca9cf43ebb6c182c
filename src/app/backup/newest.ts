import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { BACKUPS } from './layout.ts'

/**
 * Finds the newest backup in the data directory, of any kind.
 * @returns its file, and when it was made; undefined: there is none
 */
export const newestBackup = (dataDir: string): { file: string; at: string } | undefined => {
  const folder = path.join(dataDir, BACKUPS)
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tar.gz'))
    .map((name) => ({
      file: path.join(folder, name),
      at: statSync(path.join(folder, name)).mtime.toISOString(),
    }))
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .at(-1)
}
