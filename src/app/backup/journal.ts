import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { Config } from '#app/config/config.ts'
import { moveFileNow, syncToDisk } from '#executable/to-disk.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'

/** Tries of something that failed, or is under way. */
const Tries = v.object({
  count: v.number(),
  at: v.string(),
  /** What went wrong; null: the program was ended meanwhile. */
  why: v.nullable(v.string()),
})
export type Tries = v.InferOutput<typeof Tries>

const Journal = v.object({
  /** The nightly backup that was made last. */
  last: v.nullable(v.string()),
  /** The tries to make the next one. */
  tries: v.nullable(Tries),
  /** What became of nightly backups elsewhere. */
  offServer: v.object({
    /** The backup that was copied last, and the one for which the command ran last; null: none. */
    copied: v.nullable(v.string()),
    ran: v.nullable(v.string()),
    tries: v.nullable(Tries),
  }),
  /** The copies in the folder elsewhere that were not removed again. */
  laid: v.array(v.string()),
})
export type Journal = v.InferOutput<typeof Journal>

const EMPTY: Journal = { last: null, tries: null, offServer: { copied: null, ran: null, tries: null }, laid: [] }

/** Whether a backup has gone wherever the settings want it. */
export const isOffServer = (
  name: string,
  { to, command }: Pick<Config['backups'], 'to' | 'command'>,
  { copied, ran }: Journal['offServer'],
): boolean => (to === undefined || copied === name) && (command === undefined || ran === name)

const fileOf = (dataDir: string): string => path.join(dataDir, BACKUPS, '.nightly.json')

/** Reads the journal of the nightly backups. If it cannot be read, it counts as empty: the next backup writes a new one. */
export const readJournal = (dataDir: string): Journal => {
  try {
    return v.parse(Journal, JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch {
    return EMPTY
  }
}

/** The folder of the backups must be there. @throws an Error where the disk takes nothing more */
export const writeJournal = (dataDir: string, journal: Journal): void => {
  const file = fileOf(dataDir)
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(journal), { mode: 0o600 })
  syncToDisk(draft)
  moveFileNow(draft, file)
}
