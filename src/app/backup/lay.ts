import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#migrations'
import { openSqlite } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { moveFileNow } from '#executable/to-disk.ts'
import type { Config } from '#app/config/config.ts'
import { DATABASE } from '#app/data-dir/layout.ts'
import { abandonSwap } from '#app/data-dir/swap.ts'
import { BadBackup } from './archive.ts'
import type { BackupSummary } from './backup-summary.ts'
import { openSealed } from './bucket.ts'
import { CannotRestore } from './cannot-restore.ts'
import { ENCRYPTED, identityIn } from './encryption.ts'
import { assertRoom, NoRoom, RESERVE_BYTES } from './free-space.ts'
import { stageBackup } from './restore.ts'

/** A backup that is to be laid beside what is there. */
export interface LayTask {
  config: Pick<Config, 'dataDir' | 'masterKey'>
  file: string
  /** The private key to an encrypted file. */
  identity: string | undefined
  /** Where an encrypted file is opened. */
  folder: string
}

/** A backup that was laid, checked and brought to this version: what is left to do takes a moment, and can hardly fail. */
export interface Laid {
  summary: BackupSummary
  content: string
  /** How many files were missing when it was made. */
  missing: number
}

/** What files begin with that people take for a backup. */
const BEGINNINGS = [
  ['sealed', Buffer.from('age-encryption.org/')],
  ['postgres', Buffer.from('PGDMP')],
  ['packed', Buffer.from([0x1f, 0x8b])],
] as const

/** What a file is by its first bytes. */
export const kindOfFile = (file: string): (typeof BEGINNINGS)[number][0] | 'empty' | 'other' => {
  const handle = openSync(file, 'r')
  try {
    const first = Buffer.alloc(32)
    const read = readSync(handle, first, 0, first.length, 0)
    if (read === 0) return 'empty'
    return BEGINNINGS.find(([, bytes]) => first.subarray(0, bytes.length).equals(bytes))?.[0] ?? 'other'
  } finally {
    closeSync(handle)
  }
}

const needsKey = () => new CannotRestore('needs_key', 'The file is encrypted: its key is needed.')

/** @throws CannotRestore for what is no backup at all, and what only its key opens */
export const assertBackup = (file: string): void => {
  const kind = kindOfFile(file)
  if (kind === 'sealed') throw needsKey()
  if (kind === 'postgres') {
    throw new CannotRestore('postgres_dump', 'This is a dump of Postgres: pg_restore brings it back into a Postgres.')
  }
  if (kind === 'empty') throw new CannotRestore('damaged', 'The file is empty.')
  if (kind === 'other') throw new CannotRestore('not_a_backup', 'The file is no backup of this program.')
}

/** The private key in the text of a key file. @throws CannotRestore */
export const identityOf = (key: string): string => {
  try {
    return identityIn(key)
  } catch (error) {
    throw new CannotRestore('wrong_key', (error as Error).message)
  }
}

/** Opens an encrypted file into the folder. @returns the file that can be read: itself, where it is not encrypted */
const opened = async (file: string, identity: string | undefined, folder: string): Promise<string> => {
  if (kindOfFile(file) !== 'sealed') return file
  if (identity === undefined) throw needsKey()
  const handle = openSync(file, 'r')
  const name = `${path.basename(file)}.tar.gz${ENCRYPTED}`
  try {
    return await openSealed(handle, name, identity, folder)
  } catch (error) {
    if (error instanceof NoRoom || error instanceof BadBackup || (error as NodeJS.ErrnoException).code !== undefined)
      throw error
    throw new CannotRestore('wrong_key', (error as Error).message)
  }
}

/** An encrypted backup that is to be opened where it lies. */
export interface OpenTask {
  file: string
  identity: string
}

/** Puts what is in an encrypted file in its place. @throws CannotRestore, NoRoom; then it stays as it was */
export const openInPlace = async ({ file, identity }: OpenTask): Promise<void> => {
  const folder = path.dirname(file)
  await assertRoom(folder, statSync(file).size, RESERVE_BYTES)
  moveFileNow(await opened(file, identity, folder), file)
}

/** @throws whatever a migration throws */
const bringUp = async (content: string): Promise<void> => {
  const database = openSqlite(path.join(content, DATABASE))
  try {
    await migrate(database, migrations)
  } finally {
    await database.close()
  }
}

/**
 * Lays a backup beside what is there, every byte of it checked, and brings it to the schema of this version.
 * @throws CannotRestore, or what `stageBackup` throws; nothing is left of it then
 */
export const layBackup = async ({ config, file, identity, folder }: LayTask): Promise<Laid> => {
  let readable = file
  try {
    readable = await opened(file, identity, folder)
    assertBackup(readable)
    const { summary, content, missing } = await stageBackup(config, readable)
    await bringUp(content)
    return { summary, content, missing: missing.length }
  } catch (error) {
    abandonSwap(config.dataDir)
    throw error
  } finally {
    if (readable !== file) rmSync(readable, { force: true })
  }
}
