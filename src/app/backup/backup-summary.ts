import { closeSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { figuresOf, NO_FIGURES, type Figures } from '#db/sqlite/whole-file.ts'
import { readManifest, BadBackup, type Manifest } from './archive.ts'
import { FILES } from '#app/data-dir/layout.ts'
import { backupsIn } from '#app/data-dir/backup-names.ts'

/** What a backup holds, for the person who chooses one to restore. */
export interface BackupSummary extends Figures {
  file: string
  bytes: number
  createdAt: string
  /** Of the program that made it. */
  version: string
  /** Uploaded files. */
  files: number
}

/** A file that is no backup, or a damaged one. */
export interface Unreadable {
  file: string
  bytes: number
  why: string
}

/** @param database the unpacked one; undefined: use the manifest’s figures, which a backup of an earlier version lacks */
export const summaryOf = (
  file: string,
  { createdAt, version, files, figures }: Manifest,
  database?: string,
): BackupSummary => ({
  file,
  bytes: statSync(file).size,
  createdAt,
  version,
  files: files.filter((listed) => listed.path.startsWith(`${FILES}/`)).length,
  ...(database === undefined ? (figures ?? NO_FIGURES) : figuresOf(database)),
})

/** Reads only the beginning of a file, and does not check the rest. */
const lookAt = async (file: string): Promise<BackupSummary | Unreadable> => {
  const handle = openSync(file, 'r')
  try {
    return summaryOf(file, await readManifest(handle))
  } catch (error) {
    if (!(error instanceof BadBackup)) throw error
    return { file, bytes: statSync(file).size, why: error.why }
  } finally {
    closeSync(handle)
  }
}

/** What the backups in a folder hold, the newest first, or one file. @throws the system's error where there is none */
export const lookAtBackups = async (place: string): Promise<(BackupSummary | Unreadable)[]> => {
  if (!statSync(place).isDirectory()) return [await lookAt(place)]
  const seen: (BackupSummary | Unreadable)[] = []
  // One after the other: each list may be long.
  for (const { name } of backupsIn(place)) seen.push(await lookAt(path.join(place, name)))
  return seen
}
