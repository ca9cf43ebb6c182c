import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { syncToDisk } from '#executable/to-disk.ts'
import { LOCALES } from '#shared/locale.ts'
import { replaceFile } from '#app/config/replace-file.ts'
import { UPDATE_STATE } from '#app/data-dir/layout.ts'
import { Envelope } from './envelope.ts'
import { NOTHING_SEEN, ReleaseFile, UPDATE_CHANNELS } from './manifest.ts'
import { UPDATE_REASONS } from './refused.ts'

/** off: nothing is looked for; tell: the owner is told; install: it is put in at the hour that the owner chose. */
export const UPDATE_MODES = ['off', 'tell', 'install'] as const

const Settings = v.object({
  mode: v.picklist(UPDATE_MODES),
  /** By the clocks of the institute. */
  hour: v.number(),
  channel: v.picklist(UPDATE_CHANNELS),
})
export type UpdateSettings = v.InferOutput<typeof Settings>

/** What became of a look or of an install. */
const Done = v.object({
  at: v.string(),
  result: v.picklist(['ok', 'failed', 'skipped']),
  reason: v.nullable(v.picklist(UPDATE_REASONS)),
  detail: v.string(),
  /** The version that it was about; null: none. */
  version: v.nullable(v.string()),
})
export type Done = v.InferOutput<typeof Done>

const State = v.object({
  settings: Settings,
  seen: v.object({ sequences: v.record(v.string(), v.number()), latest: v.number() }),
  /** The statements about keys that have been believed. */
  keys: v.array(Envelope),
  check: v.nullable(Done),
  nextCheckAt: v.nullable(v.string()),
  install: v.nullable(Done),
  offer: v.nullable(
    v.object({
      version: v.string(),
      news: v.record(v.picklist(LOCALES), v.array(v.string())),
      file: ReleaseFile,
      isFromStick: v.optional(v.boolean(), false),
    }),
  ),
  /** Whether the offer is put in at the hour, whatever the mode says. */
  isPlanned: v.optional(v.boolean(), false),
  /** What was new in the version that the updater put in. */
  current: v.nullable(v.object({ version: v.string(), news: v.record(v.picklist(LOCALES), v.array(v.string())) })),
  /** The version of which the owner was told last. */
  told: v.nullable(v.string()),
})
export type UpdateState = v.InferOutput<typeof State>

const EMPTY: UpdateState = {
  settings: { mode: 'tell', hour: 3, channel: 'stable' },
  seen: { ...NOTHING_SEEN, sequences: {} },
  keys: [],
  check: null,
  nextCheckAt: null,
  install: null,
  offer: null,
  isPlanned: false,
  current: null,
  told: null,
}

/**
 * What this server remembers of updates, in a file beside the database: a backup leaves it out and a restore leaves it alone,
 * so that nothing that was seen is forgotten by either.
 */
export class UpdateStateFile {
  readonly #file: string

  constructor(dataDir: string) {
    this.#file = path.join(dataDir, UPDATE_STATE)
  }

  /** A file that is missing or cannot be read knows nothing. */
  read(): UpdateState {
    try {
      return v.parse(State, JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      return EMPTY
    }
  }

  /** Changes it at once, without a pause in which another change could be lost. @throws the system's error */
  change(make: (before: UpdateState) => Partial<UpdateState>): UpdateState {
    const before = this.read()
    const after = { ...before, ...make(before) }
    replaceFile(this.#file, `${JSON.stringify(after)}\n`)
    syncToDisk(path.dirname(this.#file))
    return after
  }
}
