import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { RESTORE_REASONS } from '#modules/setup/index.ts'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'

const Outcome = v.object({
  at: v.string(),
  /** When the backup was made. */
  madeAt: v.string(),
  /** The backup of what was there before; null: none was made. */
  kept: v.nullable(v.string()),
  /** Why it failed; null: it is what is there now. */
  reason: v.nullable(v.picklist(RESTORE_REASONS)),
  detail: v.string(),
})

/** What became of the last restore that a browser asked for. */
export type Outcome = v.InferOutput<typeof Outcome>

/** Beside the database, so that the one that comes does not hide it. */
const fileOf = (dataDir: string): string => path.join(dataDir, '.restored')

/** undefined: there was none, or it says nothing that can be read. */
export const readOutcome = (dataDir: string): Outcome | undefined => {
  try {
    return v.parse(Outcome, JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

/** @throws an Error where the disk takes nothing more */
export const writeOutcome = (dataDir: string, outcome: Outcome): void => {
  const file = fileOf(dataDir)
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(outcome), { mode: 0o600 })
  syncToDisk(draft)
  moveFileNow(draft, file)
}
