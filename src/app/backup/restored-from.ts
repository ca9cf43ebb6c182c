import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { replaceFile } from '#app/config/replace-file.ts'
import { BACKUPS, isAside, RESTORED } from '#app/data-dir/layout.ts'

const RestoredFrom = v.object({
  /** The name of the backup, and as of when it holds the institute. */
  backup: v.string(),
  createdAt: v.string(),
  /** The account that asked for it: the backup may not know it. */
  askedBy: v.string(),
  /** The name of the backup of what was there before. */
  kept: v.string(),
})

/** What a browser had put in the place of a running institute. */
export type RestoredFrom = v.InferOutput<typeof RestoredFrom>

const fileIn = (folder: string): string => path.join(folder, RESTORED)

/** Lays it among what is restored, with which it takes its place. */
export const noteRestored = (content: string, from: RestoredFrom): void =>
  replaceFile(fileIn(content), JSON.stringify(from))

/** undefined: nothing was restored since the program started last. */
export const readRestored = (dataDir: string): RestoredFrom | undefined => {
  try {
    return v.parse(RestoredFrom, JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

export const forgetRestored = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })

/** Removes the folders that keep what was there before a restore, where a backup has the whole of it. */
export const sweepKept = async (dataDir: string): Promise<void> => {
  const backups = path.join(dataDir, BACKUPS)
  if (!existsSync(backups)) return
  const folders = readdirSync(backups, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && isAside(entry.name) && existsSync(path.join(backups, `${entry.name}.tar.gz`)),
  )
  for (const { name } of folders) await rm(path.join(backups, name), { recursive: true, force: true })
}
