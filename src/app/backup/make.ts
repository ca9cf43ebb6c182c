import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { copyDatabase } from '#db/whole-file.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Config } from '../config.ts'
import { asCaller } from '../owner.ts'
import { version } from '../version.ts'
import { CONTENT, inventory, MANIFEST, pack, type Manifest } from './archive.ts'
import { BACKUPS, DATABASE, isCopied, stampOf, syncToDisk } from './layout.ts'
import { assertNoRestore } from './swap.ts'

export interface Backup {
  file: string
  bytes: number
  /** The key is a setting (INSTITUTE_MASTER_KEY) and not in the backup: it must be kept beside it. */
  keyIsApart: boolean
}

/** Ends the name of a file that is not whole yet. */
const PARTIAL = '.partial'

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '')

/** The same files under another name; they are never changed in place, so no byte has to be copied where links go. */
const mirror = (from: string, to: string): void => {
  if (statSync(from).isDirectory()) {
    mkdirSync(to)
    for (const name of readdirSync(from)) mirror(path.join(from, name), path.join(to, name))
    return
  }
  try {
    linkSync(from, to)
  } catch (error) {
    // Removed since the folder was listed: then it was not there at the moment of the backup.
    if (hasCode(error, 'ENOENT')) return
    if (!hasCode(error, 'EPERM', 'EXDEV', 'ENOTSUP', 'EMLINK')) throw error
    copyFileSync(from, to)
  }
}

const gather = async ({ dataDir }: Config, folder: string, createdAt: string): Promise<void> => {
  const content = path.join(folder, CONTENT)
  mkdirSync(content, { recursive: true })
  // The database first: a file that it knows was there before it.
  await copyDatabase(path.join(dataDir, DATABASE), path.join(content, DATABASE))
  for (const name of readdirSync(dataDir).filter(isCopied)) mirror(path.join(dataDir, name), path.join(content, name))
  const manifest: Manifest = { format: 1, version, createdAt, files: await inventory(content) }
  writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
}

const WORK = '.making-'
const ABANDONED_AFTER_MILLIS = 24 * 3600 * 1000

/** What a backup that was killed left behind; one that is under way is younger. */
const sweepAbandoned = (folder: string, now: number): void => {
  for (const name of readdirSync(folder)) {
    const isWork = name.startsWith(WORK) || name.endsWith(PARTIAL)
    if (isWork && now - statSync(path.join(folder, name)).mtimeMs > ABANDONED_AFTER_MILLIS) {
      rmSync(path.join(folder, name), { recursive: true, force: true })
    }
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
 * may go on working meanwhile. The file appears under its name only when it is whole.
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
    await gather(config, work, createdAt)
    const handle = by(() => openSync(partial, 'w', 0o600))
    await pack(work, handle)
    by(() => {
      renameSync(partial, file)
      syncToDisk(path.dirname(file))
    })
    return {
      file,
      bytes: by(() => statSync(file).size),
      keyIsApart: config.masterKey !== undefined,
    }
  } catch (error) {
    by(() => rmSync(partial, { force: true }))
    throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
