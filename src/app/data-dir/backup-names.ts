import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import { stampOf } from './layout.ts'

/** Why a backup was made: somebody asked for it, the night, an upgrade, or another that was put in its place. */
export type BackupKind = 'institute' | 'nightly' | 'before-upgrade' | 'before-restore'

const ENDING = '.tar.gz'

export const backupName = (kind: BackupKind, createdAt: string): string => `${kind}-${stampOf(createdAt)}${ENDING}`

const NIGHTLY = /^nightly-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar\.gz$/
const STAMP = /-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.gz$/

export const isNightly = (name: string): boolean => NIGHTLY.test(name)

export interface KeptBackup {
  name: string
  createdAt: string
}

/** When a backup was made, by its name; undefined: it was renamed. */
export const createdAtOf = (name: string): string | undefined => {
  const [, hour, minute, second, millis] = STAMP.exec(name) ?? []
  return hour === undefined ? undefined : `${hour}:${minute}:${second}.${millis}Z`
}

/** Every backup in the folder, whoever made it, the newest first. A backup that was renamed is as old as its file. */
export const backupsIn = (folder: string): KeptBackup[] => {
  if (!existsSync(folder)) return []
  const kept = readdirSync(folder).flatMap((name) => {
    if (!name.endsWith(ENDING)) return []
    const createdAt = createdAtOf(name)
    if (createdAt !== undefined) return [{ name, createdAt }]
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false })
    return found ? [{ name, createdAt: found.mtime.toISOString() }] : []
  })
  return kept.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
}

/** Leaves out backups with a time in the future, from a clock that ran ahead: they would count as the newest until then. */
export const untilNow = (kept: readonly KeptBackup[], now: string): KeptBackup[] => {
  const latest = plusSeconds(now, CLOCK_SLACK_SECONDS)
  return kept.filter(({ createdAt }) => createdAt <= latest)
}

/** The newest nightly backup in the folder. */
export const newestNightly = (folder: string, now: string): KeptBackup | undefined =>
  untilNow(backupsIn(folder), now).find(({ name }) => isNightly(name))

/**
 * The backups to remove so that `keep` nightly ones stay.
 * @param newest the one that was just made: it stays, whatever the clock said when the others were made
 */
export const tooMany = (names: readonly string[], keep: number, newest: string): string[] => {
  const others = names.filter((name) => isNightly(name) && name !== newest).toSorted()
  return others.slice(0, Math.max(0, others.length - keep + 1))
}
