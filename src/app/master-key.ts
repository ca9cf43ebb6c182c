import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'

/** The key that protects every secret in the database; made, mode 0600, at the first start (decisions 3.7). */
export const masterKey = ({ masterKey: given, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>): Buffer => {
  if (given) return given
  const file = path.join(dataDir, 'master-key')
  try {
    // `wx`: of two that start at once, one makes the key and the other reads it.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  if (key.length !== 32) throw new Error(`${file} does not hold a master key (32 bytes in base64url).`)
  return key
}
