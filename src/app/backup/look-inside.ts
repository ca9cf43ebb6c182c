import { closeSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#app/config/config.ts'
import { DATABASE, MASTER_KEY } from '#app/data-dir/layout.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { readManifest, verify } from './archive.ts'
import { summaryOf, type BackupSummary } from './backup-summary.ts'
import { assertRoom, RESERVE_BYTES } from './free-space.ts'
import { assertBackup } from './lay.ts'
import { checkContent } from './restore.ts'

/** A backup that somebody wants to know more of than its beginning says. */
export interface LookTask {
  config: Pick<Config, 'dataDir' | 'masterKey'>
  file: string
  /** Where its database lies meanwhile. What is there is removed, and so is the folder afterwards. */
  folder: string
}

/**
 * Reads a backup, every byte of it, and says what it holds; nothing of it stays. Uploaded files are read and not written:
 * a look takes no more room than the database.
 * @throws what `layBackup` throws for a backup that cannot be restored here
 */
export const lookInside = async ({ config, file, folder }: LookTask): Promise<BackupSummary> => {
  assertBackup(file)
  rmSync(folder, { recursive: true, force: true })
  makeFolders(folder)
  const handle = openSync(file, 'r')
  const place = (name: string): string => path.join(folder, name)
  try {
    const { files } = await readManifest(handle)
    const database = files.find((listed) => listed.path === DATABASE)
    await assertRoom(folder, database?.size ?? 0, RESERVE_BYTES)
    const manifest = await verify(handle, new Map([DATABASE, MASTER_KEY].map((name) => [name, place(name)])))
    await checkContent(folder, config)
    return summaryOf(file, manifest, place(DATABASE))
  } finally {
    closeSync(handle)
    rmSync(folder, { recursive: true, force: true })
  }
}
