import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Sealed } from '#app/backup/bucket.ts'
import { listElsewhere } from '#app/backup/off-server-copies.ts'
import { lookAtBackups, type BackupSummary, type Unreadable } from '#app/backup/backup-summary.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { result, tell, WrongUsage, type Command, type Invocation } from './command.ts'
import { openToLook, settingsOf } from './open.ts'
import { printable, table } from './table.ts'

const KILOBYTE = 1024
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

const sizeOf = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(KILOBYTE)))
  return `${Math.ceil(bytes / KILOBYTE ** power)} ${UNITS[power]}`
}

/** `2026-11-21 04:30 UTC` */
const timeOf = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`

const orDash = (value: string | number | null): string => (value === null ? '-' : String(value))

const HEADS = ['MADE', 'SIZE', 'VERSION', 'STUDENTS', 'FILES', 'NAME', 'INSTITUTE']

const rowOf = (seen: BackupSummary | Unreadable): string[] => {
  const name = path.basename(seen.file)
  if ('why' in seen) return ['-', sizeOf(seen.bytes), '-', '-', '-', name, `no whole backup: ${seen.why}`]
  const { createdAt, bytes, version, students, files, institute } = seen
  return [timeOf(createdAt), sizeOf(bytes), version, orDash(students), String(files), name, orDash(institute)]
}

/** What a backup holds, in one sentence. */
export const sentenceOf = ({ createdAt, version, institute, students, files, bytes }: BackupSummary): string =>
  printable(
    [
      `This backup was made at ${timeOf(createdAt)} by version ${version}: ${institute ?? 'no institute yet'}`,
      ...(students === null ? [] : [`students: ${students}`]),
      `uploaded files: ${files}`,
      sizeOf(bytes),
    ].join(', '),
  )

/** The backups of the data directory, or the place that was named, which needs no institute here. */
const folderOf = (invocation: Invocation): string => {
  const [given] = invocation.words
  return given === undefined ? path.join(openToLook(invocation).dataDir, BACKUPS) : path.resolve(given)
}

const isSealed = (seen: BackupSummary | Unreadable | Sealed): seen is Sealed => 'name' in seen

const SEALED_HEADS = ['MADE', 'SIZE', 'NAME']

/** The table of what was seen. What an encrypted backup holds only its key tells. */
const linesOf = (seen: readonly (BackupSummary | Unreadable | Sealed)[]): string[] => {
  const sealed = seen.filter(isSealed)
  if (sealed.length === 0) return table([HEADS, ...seen.flatMap((one) => (isSealed(one) ? [] : [rowOf(one)]))])
  return table([SEALED_HEADS, ...sealed.map(({ createdAt, bytes, name }) => [timeOf(createdAt), sizeOf(bytes), name])])
}

const listedIn = async (invocation: Invocation) => {
  if (invocation.switches.has('elsewhere')) {
    if (invocation.words.length > 0)
      throw new WrongUsage('--elsewhere lists INSTITUTE_BACKUP_TO: name no folder beside it.')
    return listElsewhere(settingsOf(invocation))
  }
  const place = folderOf(invocation)
  const isEmpty = invocation.words.length === 0 && !existsSync(place)
  return { place, seen: isEmpty ? [] : await lookAtBackups(place) }
}

export const backupList: Command = {
  about: 'List the backups that there are, the newest first, with what is in each; or those of a folder, or one file',
  usage: '[FOLDER|FILE] [--elsewhere] [--json]',
  words: 1,
  wordsAreOptional: true,
  proposed: { isPath: true },
  settings: ['INSTITUTE_DATA_DIR', 'INSTITUTE_BACKUP_TO'],
  options: {
    elsewhere: { about: 'Those in INSTITUTE_BACKUP_TO; what encrypted ones hold is not known without their key' },
    json: { about: 'As JSON, for scripts: an array with an object for each backup' },
  },
  run: async (invocation) => {
    const { place, seen } = await listedIn(invocation)
    if (invocation.switches.has('json')) {
      result(JSON.stringify(seen, null, 2))
      return 0
    }
    if (seen.length === 0) tell(`There is no backup in ${place}: institute backup makes one.`)
    else for (const line of linesOf(seen)) result(line)
    return 0
  },
}
