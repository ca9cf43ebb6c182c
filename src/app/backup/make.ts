import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copyDatabase, figuresOf, holdsSecrets, problemsOfCopy } from '#db/sqlite/whole-file.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { CannotOpen } from '#runtime/secrets/vault.ts'
import type { Config } from '#app/config/config.ts'
import { assertDatabase } from '#app/data-dir/data-dir.ts'
import { damaged } from '#app/explain/database-trouble.ts'
import { keyOpensFile } from '#app/data-dir/key-check.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { version } from '#executable/version.ts'
import { BadBackup, CONTENT, inventory, MANIFEST, pack, verify, type Manifest } from './archive.ts'
import { collectFiles } from './collect-files.ts'
import { missingIn } from './missing-files.ts'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { BACKUPS, DATABASE } from '#app/data-dir/layout.ts'
import { backupName, type BackupKind } from '#app/data-dir/backup-names.ts'
import { assertFolderOf, assertNew, placeIn } from './output-file.ts'
import { assertRoom, RESERVE_BYTES } from './free-space.ts'
import { assertNoRestore } from '#app/data-dir/swap.ts'
import { beginWork, PARTIAL, sweepAbandoned } from '#app/data-dir/unfinished.ts'

export interface Backup {
  file: string
  bytes: number
  /** The key is a setting (INSTITUTE_MASTER_KEY) and not in the backup: it must be kept beside it. */
  keyIsApart: boolean
  /** Paths of what holds nothing that could be kept: pipes, sockets, devices. */
  leftOut: string[]
  /** Files that the database names, and whose bytes are gone from the data directory. */
  missing: string[]
}

/** The part of the configuration that a backup depends on. */
export type BackupConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'masterKey'>

interface Collected extends Pick<Backup, 'leftOut' | 'missing'> {
  /** The size of all that is to be packed. */
  bytes: number
}

/**
 * Puts everything that belongs into the backup into `folder`.
 * @param reserve bytes that must stay free on the disk
 * @throws an Error for a state that a restore would refuse, and where there is no room
 */
const collectContent = async (
  config: BackupConfig,
  { folder, createdAt, reserve, gently }: { folder: string; createdAt: string; reserve: number; gently: boolean },
): Promise<Collected> => {
  const { dataDir } = config
  const content = path.join(folder, CONTENT)
  const database = path.join(content, DATABASE)
  makeFolders(content)
  await assertRoom(folder, sizesOf([DATABASE, `${DATABASE}-wal`].map((name) => path.join(dataDir, name))), reserve)
  // The database first: every file that this copy names existed before it.
  await copyDatabase(path.join(dataDir, DATABASE), database, { gently })
  const [problem] = problemsOfCopy(database)
  if (problem !== undefined) throw new Error(`${damaged(dataDir, problem)}.`)
  const leftOut = collectFiles(dataDir, content)
  if (holdsSecrets(database) && !(await keyOpensFile(database, config))) throw new CannotOpen()
  const missing = await missingIn(content)
  const figures = figuresOf(database)
  const manifest: Manifest = { format: 1, version, createdAt, figures, files: await inventory(content) }
  writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
  return { leftOut, missing, bytes: manifest.files.reduce((sum, { size }) => sum + size, 0) }
}

const sizesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Verifies what was written, before it gets the name of a backup. @throws an Error */
const readBack = async (handle: number): Promise<void> => {
  try {
    await verify(handle)
  } catch (error) {
    if (!(error instanceof BadBackup)) throw error
    throw new Error(
      `The backup was thrown away: read back, it was not what was to be kept (${error.why}). Try again.`,
      {
        cause: error,
      },
    )
  } finally {
    closeSync(handle)
  }
}

interface Wanted {
  /** A file or a folder, reached with the rights of whoever runs the command. Default: the backups. */
  to?: string | undefined
  /** Overwrites a file that is there. */
  force?: boolean
  kind?: BackupKind
}

/**
 * Packs the whole institute as it is now into one file: database, files, keys and configuration. The program may keep
 * running meanwhile. The file gets its name only after it was read back and verified.
 * @throws NoRoom, or an Error that says what is wrong
 */
export const makeBackup = async (
  config: BackupConfig,
  clock: Pick<Clock, 'now' | 'millis'>,
  { to, force = false, kind = 'institute' }: Wanted = {},
): Promise<Backup> => {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== undefined) {
    throw new Error(
      'The database is in Postgres: back it up with pg_dump, and copy the data directory, which holds the keys, beside it.',
    )
  }
  assertDatabase(config)
  // What is kept before a restore is what was there before it: the backup that is to be restored lies beside it.
  if (kind !== 'before-restore') assertNoRestore(dataDir)
  const createdAt = clock.now()
  const name = backupName(kind, createdAt)
  const backups = path.join(dataDir, BACKUPS)
  // A file elsewhere belongs to the administrator who runs the command, one in the backups folder to the service.
  const by = to === undefined ? <T>(action: () => T): T => action() : asCaller
  const file = to === undefined ? path.join(backups, name) : by(() => placeIn(to, name))
  if (to !== undefined) by(() => assertFolderOf(file, { given: to, what: 'backup' }))
  if (!force) by(() => assertNew(file))
  makeFolders(backups)
  sweepAbandoned(backups, clock.millis())
  const work = beginWork(backups)
  // A file among the backups is begun in the work folder: nobody takes it for a backup there, and after a kill it is
  // removed with the folder.
  const partial = to === undefined ? path.join(work.folder, name) : `${file}${PARTIAL}`
  // Nobody else needs the disk before the program of the new version has started.
  const reserve = kind === 'before-upgrade' ? 0 : RESERVE_BYTES
  try {
    const gently = kind === 'nightly'
    const { bytes, ...notKept } = await collectContent(config, { folder: work.folder, createdAt, reserve, gently })
    if (to === undefined) await assertRoom(work.folder, bytes, reserve)
    const handle = by(() => openSync(partial, 'w', 0o600))
    await pack(work.folder, handle)
    await readBack(by(() => openSync(partial, 'r')))
    by(() => {
      if (!force) assertNew(file)
      moveFileNow(partial, file)
      syncToDisk(path.dirname(file))
    })
    return {
      file,
      bytes: by(() => statSync(file).size),
      keyIsApart: config.masterKey !== undefined,
      ...notKept,
    }
  } catch (error) {
    by(() => rmSync(partial, { force: true }))
    throw error
  } finally {
    work.end()
  }
}
