import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { MASTER_KEY } from './layout.ts'
import { masterKeyCommand } from './restore-commands.ts'
import type { Config } from '#app/config/config.ts'

type Where = Pick<Config, 'masterKey' | 'dataDir'>

const fileIn = (dataDir: string): string => path.join(dataDir, MASTER_KEY)

/** Whether there is a key, as a setting or in the data directory. */
export const hasMasterKey = ({ masterKey: given, dataDir }: Where): boolean =>
  given !== undefined || existsSync(fileIn(dataDir))

/** Reads the key that protects every secret in the database. @throws an Error that says what is wrong with it */
export const masterKey = ({ masterKey: given, dataDir }: Where): Buffer => {
  if (given) return given
  const file = fileIn(dataDir)
  if (!existsSync(file)) {
    throw new Error(
      `${file} is missing: bring it back (${masterKeyCommand(dataDir)}), or give the key as INSTITUTE_MASTER_KEY.`,
    )
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  if (key.length !== 32) {
    throw new Error(
      `${file} does not hold a master key (32 bytes in base64url): bring it back (${masterKeyCommand(dataDir)}).`,
    )
  }
  return key
}

/**
 * Makes a key file, mode 0600, where there is none; the caller holds the lock of the data directory. The file gets its
 * name only when it is complete and on the disk, and so before anything is sealed with the key.
 */
export const makeMasterKey = (where: Where): void => {
  if (hasMasterKey(where)) return
  const { dataDir } = where
  const fresh = path.join(dataDir, `.${MASTER_KEY}-new`)
  writeFileSync(fresh, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  moveFileNow(fresh, fileIn(dataDir))
  syncToDisk(dataDir)
}
