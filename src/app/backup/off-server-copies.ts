import { existsSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#app/config/config.ts'
import { backupsIn } from '#app/data-dir/backup-names.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { fetchFromBucket, listBucket, nameOfBucket, openSealed, type Sealed } from './bucket.ts'
import { ENCRYPTED, identityIn } from './encryption.ts'
import { lookAtBackups, type BackupSummary, type Unreadable } from './backup-summary.ts'
import type { Source } from './restore.ts'

/** The place for copies of the backups: what is there, and how one comes back. */

type Elsewhere = NonNullable<Config['backups']['to']>

const NEWEST = 'newest'

/** @throws a Mistake where the settings name none */
const elsewhereOf = ({ backups: { to } }: Pick<Config, 'backups'>): Elsewhere => {
  if (to !== undefined) return to
  throw new Mistake('--elsewhere needs INSTITUTE_BACKUP_TO: the folder or the bucket with the copies of the backups.')
}

const wordsFor = (to: Elsewhere): string => ('folder' in to ? to.folder : nameOfBucket(to))

/** The backups elsewhere, the newest first, and the name of the place. @throws a Mistake, or an Error */
export const listElsewhere = async (
  config: Pick<Config, 'backups'>,
): Promise<{ place: string; seen: (BackupSummary | Unreadable)[] | Sealed[] }> => {
  const to = elsewhereOf(config)
  const place = wordsFor(to)
  if (!('folder' in to)) return { place, seen: await listBucket(to) }
  if (!existsSync(to.folder))
    throw new Error(`There is no folder ${place} (INSTITUTE_BACKUP_TO): is the share mounted?`)
  return { place, seen: await lookAtBackups(to.folder) }
}

/** @param file where the key is; `-`: standard input @throws a Mistake */
const readKey = (file: string | undefined): string => {
  if (file === undefined) {
    throw new Mistake(
      'This backup is encrypted: name the file with its key with --key FILE, or - to give it on standard input.',
    )
  }
  return identityIn(asCaller(() => readFileSync(file === '-' ? 0 : file, 'utf8')))
}

interface Wanted {
  /** A file; or the name of a backup elsewhere, and `newest` for the newest there. */
  given: string
  isElsewhere: boolean
  /** The file with the private key. */
  keyFile: string | undefined
}

/** Where a restore takes the backup from. @throws a Mistake, or an Error where there is none of this name */
export const sourceOf = async (config: Config, { given, isElsewhere, keyFile }: Wanted): Promise<Source> => {
  if (!isElsewhere) {
    if (!given.endsWith(ENCRYPTED)) return given
    const identity = readKey(keyFile)
    return (folder) =>
      openSealed(
        asCaller(() => openSync(given, 'r')),
        path.basename(given),
        identity,
        folder,
      )
  }
  const to = elsewhereOf(config)
  const identity = 'folder' in to ? '' : readKey(keyFile)
  const names = 'folder' in to ? backupsIn(to.folder) : await listBucket(to)
  const wanted = given.endsWith(ENCRYPTED) ? given.slice(0, -ENCRYPTED.length) : given
  const found = wanted === NEWEST ? names[0] : names.find(({ name }) => name === wanted)
  if (!found) {
    const what = wanted === NEWEST ? 'no backup' : `no backup ${wanted}`
    throw new Error(`There is ${what} in ${wordsFor(to)}: institute backup list --elsewhere lists what there is.`)
  }
  if ('folder' in to) return path.join(to.folder, found.name)
  return (folder) => fetchFromBucket(to, found.name, identity, folder)
}
