import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#migrations'
import { openSqlite } from '#db/database.ts'
import { pendingMigrations } from '#db/steps/migrate.ts'
import { problemsOfCopy } from '#db/sqlite/whole-file.ts'
import { moveFileNow } from '#executable/to-disk.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { CannotOpen } from '#runtime/secrets/vault.ts'
import type { Config } from '#app/config/config.ts'
import { lockDataDir } from '#app/data-dir/data-lock.ts'
import { hasSecrets, keyOpens } from '#app/data-dir/key-check.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { BadBackup, CONTENT, unpack, type Manifest } from './archive.ts'
import { missingIn } from './missing-files.ts'
import { summaryOf, type BackupSummary } from './backup-summary.ts'
import { CONFIGURATION } from '#app/config/config-file.ts'
import { asideOf, BACKUPS, CONFIGURATION_OF_BACKUP, DATABASE, MASTER_KEY } from '#app/data-dir/layout.ts'
import { abandonSwap, beginSwap, swap } from '#app/data-dir/swap.ts'

export interface Restored {
  manifest: Manifest
  /** The folder that keeps the state from before the restore; undefined: there was none. */
  aside: string | undefined
  /** Where the backup's configuration was put, when this machine has another one or none. */
  configuration: string | undefined
  /** Files that the backup's database names but the backup lacks: they were missing when it was made. */
  missing: string[]
}

const problemsIn = (file: string): string[] => {
  try {
    return problemsOfCopy(file)
  } catch {
    return ['it cannot be opened']
  }
}

/** The backup does not hold its master key, and the settings neither. */
export class NoMasterKey extends Error {
  constructor() {
    super('This backup does not hold its master key: give it with INSTITUTE_MASTER_KEY. Nothing was changed.')
    this.name = 'NoMasterKey'
  }
}

/** @throws BadBackup, NewerDatabase, CannotOpen, NoMasterKey */
export const checkContent = async (content: string, { masterKey }: Pick<Config, 'masterKey'>): Promise<void> => {
  const file = path.join(content, DATABASE)
  if (!existsSync(file)) throw new BadBackup('it holds no database')
  const [problem] = problemsIn(file)
  if (problem !== undefined) throw new BadBackup(`its database is damaged (${problem})`)
  const database = openSqlite(file)
  try {
    await pendingMigrations(database, migrations)
    const hasKey = masterKey !== undefined || existsSync(path.join(content, MASTER_KEY))
    if (!hasKey && (await hasSecrets(database))) throw new NoMasterKey()
    if (!(await keyOpens(database, { masterKey, dataDir: content }))) throw new CannotOpen()
  } finally {
    await database.close()
  }
}

/**
 * Moves the backup's configuration to a separate file. A machine keeps its own configuration: the backup's may come
 * from another machine and name another mail server.
 * @returns the path where it will lie; undefined: the backup has none, or the same one
 */
const setConfigurationAside = (dataDir: string, content: string): string | undefined => {
  const given = path.join(content, CONFIGURATION)
  const own = path.join(dataDir, CONFIGURATION)
  if (!existsSync(given)) return undefined
  const isSame =
    existsSync(own) && statSync(own).size === statSync(given).size && readFileSync(own).equals(readFileSync(given))
  if (isSame) {
    rmSync(given)
    return undefined
  }
  moveFileNow(given, path.join(content, CONFIGURATION_OF_BACKUP))
  return path.join(dataDir, CONFIGURATION_OF_BACKUP)
}

const openBackup = (file: string): number => {
  if (!statSync(file).isFile()) throw new BadBackup(`${file} is no file`)
  return openSync(file, 'r')
}

/** What is restored: a file, or what brings one into the folder of the backups and returns its path. */
export type Source = string | ((folder: string) => Promise<string>)

/** @throws an Error; what was brought so far is removed then */
const fileOf = async (source: Source, dataDir: string): Promise<string> => {
  if (typeof source === 'string') return source
  const folder = path.join(dataDir, BACKUPS)
  makeFolders(folder)
  return source(folder)
}

/** A backup that lies unpacked beside what is there, every byte of it checked. */
export interface Staged extends Pick<Restored, 'manifest' | 'configuration' | 'missing'> {
  summary: BackupSummary
  /** The folder that is to take the place of what is there. */
  content: string
}

/**
 * Unpacks a backup beside what is there, and checks it. The caller, or its parent process, holds the lock of the data
 * directory; what is there goes on as it is.
 * @param look is told what the whole backup holds, and may throw
 * @throws BadBackup, NewerDatabase, CannotOpen, NoMasterKey, NoRoom; `abandonSwap` removes what was unpacked
 */
export const stageBackup = async (
  config: Pick<Config, 'dataDir' | 'masterKey'>,
  file: string,
  look: (summary: BackupSummary) => Promise<void> = async () => {},
): Promise<Staged> => {
  const { dataDir } = config
  const handle = asCaller(() => openBackup(file))
  const work = beginSwap(dataDir)
  const content = path.join(work, CONTENT)
  const manifest = await unpack(handle, work).finally(() => closeSync(handle))
  await checkContent(content, config)
  const summary = asCaller(() => summaryOf(file, manifest, path.join(content, DATABASE)))
  await look(summary)
  const missing = await missingIn(content)
  return { manifest, summary, content, missing, configuration: setConfigurationAside(dataDir, content) }
}

/**
 * Replaces the current state with a backup, and keeps the old state in a separate folder. Nothing changes until every
 * byte of the backup was checked; a kill at any point leaves either the old state or the new one.
 * @param look is told what the whole backup holds, and may throw to leave all as it is
 * @throws DataDirInUse, BadBackup, NewerDatabase, CannotOpen
 */
export const restoreBackup = async (
  config: Config,
  clock: Clock,
  source: Source,
  look: (summary: BackupSummary) => Promise<void> = async () => {},
): Promise<Restored> => {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== undefined) {
    throw new Error('The database is in Postgres (INSTITUTE_DATABASE_URL): bring it back with pg_restore.')
  }
  const release = await lockDataDir(dataDir)
  try {
    const file = await fileOf(source, dataDir)
    const { manifest, content, configuration, missing } = await stageBackup(config, file, look)
    const replaces = existsSync(path.join(dataDir, DATABASE))
    const aside = asideOf(clock.now())
    swap(dataDir, content, aside)
    return { manifest, aside: replaces ? path.join(dataDir, BACKUPS, aside) : undefined, configuration, missing }
  } catch (error) {
    abandonSwap(dataDir)
    throw error
  } finally {
    release()
  }
}
