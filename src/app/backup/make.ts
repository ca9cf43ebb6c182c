import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copyDatabase, holdsSecrets, problemsOfCopy } from '#db/whole-file.ts'
import type { Clock } from '#kernel/clock.ts'
import { CannotOpen } from '#runtime/vault.ts'
import type { Config } from '../config.ts'
import { assertDatabase } from '../data-dir.ts'
import { damaged } from '../database-trouble.ts'
import { keyOpensFile } from '../key-check.ts'
import { makeFolders } from '../make-folders.ts'
import { asCaller } from '../owner.ts'
import { version } from '../version.ts'
import { BadBackup, CONTENT, inventory, MANIFEST, pack, verify, type Manifest } from './archive.ts'
import { missingIn } from './files.ts'
import { collectFiles } from './collect-files.ts'
import { BACKUPS, DATABASE, stampOf, syncToDisk } from './layout.ts'
import { assertFolderOf } from './place.ts'
import { PARTIAL, sweepAbandoned, WORK } from './unfinished.ts'
import { assertNoRestore } from './swap.ts'

export interface Backup {
  file: string
  bytes: number
  /** The master key is a setting (INSTITUTE_MASTER_KEY) and not in the backup: the owner must keep it separately. */
  keyIsApart: boolean
  /** Paths that were left out because they hold no bytes: pipes, sockets, devices. */
  leftOut: string[]
  /** Files that the database names but that are missing in the data directory. */
  missing: string[]
}

/**
 * Puts everything that belongs into the backup into `folder`. @returns what could not be kept @throws an Error for a
 * state that a restore would refuse
 */
const collectContent = async (
  config: Config,
  folder: string,
  createdAt: string,
): Promise<Pick<Backup, 'leftOut' | 'missing'>> => {
  const { dataDir } = config
  const content = path.join(folder, CONTENT)
  const database = path.join(content, DATABASE)
  makeFolders(content)
  // The database first: every file that this copy names existed before it.
  await copyDatabase(path.join(dataDir, DATABASE), database)
  const [problem] = problemsOfCopy(database)
  if (problem !== undefined) throw new Error(`${damaged(dataDir, problem)}.`)
  const leftOut = collectFiles(dataDir, content)
  if (holdsSecrets(database) && !(await keyOpensFile(database, config))) throw new CannotOpen()
  const missing = await missingIn(content)
  const manifest: Manifest = { format: 1, version, createdAt, files: await inventory(content) }
  writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
  return { leftOut, missing }
}

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

const nameOf = (createdAt: string, kind: string): string => `${kind}-${stampOf(createdAt)}.tar.gz`

/** The path of the new backup; in a folder it gets a name of its own. */
const target = (to: string | undefined, dataDir: string, name: string): string => {
  if (to === undefined) return path.join(dataDir, BACKUPS, name)
  const given = path.resolve(to)
  return asCaller(() => existsSync(given) && statSync(given).isDirectory()) ? path.join(given, name) : given
}

/**
 * Packs the whole institute as it is now into one file: database, files, keys and configuration. The program may keep
 * running meanwhile. The file gets its name only after it was read back and verified.
 */
export const makeBackup = async (
  config: Config,
  clock: Clock,
  { to, kind = 'institute' }: { to?: string | undefined; kind?: 'institute' | 'before-upgrade' } = {},
): Promise<Backup> => {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== undefined) {
    throw new Error(
      'The database is in Postgres: back it up with pg_dump, and copy the data directory, which holds the keys, beside it.',
    )
  }
  assertDatabase(config)
  assertNoRestore(dataDir)
  const createdAt = clock.now()
  const file = target(to, dataDir, nameOf(createdAt, kind))
  if (to !== undefined) asCaller(() => assertFolderOf(file, to))
  const backups = path.join(dataDir, BACKUPS)
  const work = path.join(backups, `${WORK}${randomUUID()}`)
  const partial = `${file}${PARTIAL}`
  makeFolders(work)
  sweepAbandoned(backups, clock.millis())
  // A file elsewhere belongs to the administrator who runs the command, one in the backups folder to the service.
  const by = to === undefined ? <T>(action: () => T): T => action() : asCaller
  try {
    const notKept = await collectContent(config, work, createdAt)
    const handle = by(() => openSync(partial, 'w', 0o600))
    await pack(work, handle)
    await readBack(by(() => openSync(partial, 'r')))
    by(() => {
      renameSync(partial, file)
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
    rmSync(work, { recursive: true, force: true })
  }
}
