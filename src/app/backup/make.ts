import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copyDatabase, holdsSecrets, problemsOfCopy } from '#db/whole-file.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Config } from '../config.ts'
import { asCaller } from '../owner.ts'
import { version } from '../version.ts'
import { BadBackup, CONTENT, inventory, MANIFEST, pack, verify, type Manifest } from './archive.ts'
import { missingIn } from './files.ts'
import { gatherFiles } from './gather.ts'
import { BACKUPS, DATABASE, MASTER_KEY, stampOf, syncToDisk } from './layout.ts'
import { PARTIAL, sweepAbandoned, WORK } from './making.ts'
import { assertNoRestore } from './swap.ts'

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

/** @returns what could not be kept @throws an Error where a restore would refuse what was found */
const gather = async (
  { dataDir, masterKey }: Config,
  folder: string,
  createdAt: string,
): Promise<Pick<Backup, 'leftOut' | 'missing'>> => {
  const content = path.join(folder, CONTENT)
  const database = path.join(content, DATABASE)
  mkdirSync(content, { recursive: true })
  // The database first: a file that it knows was there before it.
  await copyDatabase(path.join(dataDir, DATABASE), database)
  const [problem] = problemsOfCopy(database)
  if (problem !== undefined) throw new Error(`The database is damaged (${problem}): institute doctor says more.`)
  const leftOut = gatherFiles(dataDir, content)
  if (masterKey === undefined && !existsSync(path.join(content, MASTER_KEY)) && holdsSecrets(database)) {
    throw new Error(`${path.join(dataDir, MASTER_KEY)} is missing, without which the database is of no use.`)
  }
  const missing = await missingIn(content)
  const manifest: Manifest = { format: 1, version, createdAt, files: await inventory(content) }
  writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
  return { leftOut, missing }
}

/** Reads what was written before it is called a backup. @throws an Error */
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

/** Where it goes: a folder gets a file with a name of its own. */
const target = (to: string | undefined, dataDir: string, name: string): string => {
  if (to === undefined) return path.join(dataDir, BACKUPS, name)
  const given = path.resolve(to)
  return asCaller(() => existsSync(given) && statSync(given).isDirectory()) ? path.join(given, name) : given
}

/**
 * Packs the whole institute as it is at this moment into one file: database, files, keys and configuration. The program
 * may go on working meanwhile. The file appears under its name only when it is whole: it was read back.
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
  if (!existsSync(path.join(dataDir, DATABASE))) throw new Error(`There is no institute in ${dataDir} to back up.`)
  assertNoRestore(dataDir)
  const createdAt = clock.now()
  const file = target(to, dataDir, nameOf(createdAt, kind))
  const backups = path.join(dataDir, BACKUPS)
  const work = path.join(backups, `${WORK}${randomUUID()}`)
  const partial = `${file}${PARTIAL}`
  mkdirSync(work, { recursive: true })
  sweepAbandoned(backups, clock.millis())
  // A file elsewhere is the administrator's, one among the backups the service's.
  const by = to === undefined ? <T>(action: () => T): T => action() : asCaller
  try {
    const notKept = await gather(config, work, createdAt)
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
