import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { RESTORE_REASONS } from '#modules/setup/index.ts'
import { replaceFile } from '#app/config/replace-file.ts'

const Failure = v.object({ reason: v.picklist(RESTORE_REASONS), detail: v.string() })

/** Why a restore was given up, while the program had stepped aside for it. */
export type Failure = v.InferOutput<typeof Failure>

const fileOf = (dataDir: string): string => path.join(dataDir, '.restore-failed')

/** undefined: none was, since the last file came, or what is kept of it cannot be read. */
export const readFailure = (dataDir: string): Failure | undefined => {
  try {
    return v.parse(Failure, JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

/** Keeps it for the program that comes back. @throws an Error where the disk takes nothing more */
export const keepFailure = (dataDir: string, failure: Failure): void =>
  replaceFile(fileOf(dataDir), JSON.stringify(failure))

export const forgetFailure = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true })
