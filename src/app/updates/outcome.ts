import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { UPDATE_REASONS } from './refused.ts'

/**
 * What became of putting a version in, as the updater, which is root, writes it beside the program. The service reads it, and
 * can write there no more than anywhere else.
 */
const OUTCOME = 'update-result.json'

const Outcome = v.object({
  state: v.picklist(['applying', 'ok', 'failed']),
  /** null: what was laid named none. */
  version: v.nullable(v.string()),
  reason: v.nullable(v.picklist(UPDATE_REASONS)),
  detail: v.string(),
  at: v.string(),
  /** Of the start of the system in which it ran: after another one it does not run any more. */
  boot: v.string(),
})
export type Outcome = v.InferOutput<typeof Outcome>

export const outcomeFile = (programDir: string): string => path.join(programDir, OUTCOME)

/** @returns undefined: there is none that can be read */
export const readOutcome = (programDir: string): Outcome | undefined => {
  try {
    return v.parse(Outcome, JSON.parse(readFileSync(outcomeFile(programDir), 'utf8')))
  } catch {
    return undefined
  }
}

/** Which start of the system this is; the empty text where the system does not say. */
export const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * The outcome once nothing is going on any more: what a power cut broke off was put back at the start of the system, or had
 * been through already.
 * @param running the version that runs
 */
export const settled = (outcome: Outcome, { boot, running }: { boot: string; running: string }): Outcome => {
  if (outcome.state !== 'applying' || outcome.boot === boot) return outcome
  return outcome.version === running
    ? { ...outcome, state: 'ok' }
    : { ...outcome, state: 'failed', reason: 'power_cut' }
}
