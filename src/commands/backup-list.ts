import { existsSync } from 'node:fs'
import path from 'node:path'
import { lookAtBackups, type Held, type Unreadable } from '#app/backup/held.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { result, tell, type Command, type Invocation } from './command.ts'
import { openToLook } from './open.ts'
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

const rowOf = (seen: Held | Unreadable): string[] => {
  const name = path.basename(seen.file)
  if ('why' in seen) return ['-', sizeOf(seen.bytes), '-', '-', '-', name, `no whole backup: ${seen.why}`]
  const { createdAt, bytes, version, students, files, institute } = seen
  return [timeOf(createdAt), sizeOf(bytes), version, orDash(students), String(files), name, orDash(institute)]
}

/** What a backup holds, in one sentence. */
export const sentenceOf = ({ createdAt, version, institute, students, files, bytes }: Held): string =>
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

export const backupList: Command = {
  about: 'List the backups that there are, the newest first, with what is in each; or those of a folder, or one file',
  usage: '[FOLDER|FILE] [--json]',
  words: 1,
  wordsAreOptional: true,
  proposed: { isPath: true },
  settings: ['INSTITUTE_DATA_DIR'],
  options: { json: { about: 'As JSON, for scripts: an array with an object for each backup' } },
  run: async (invocation) => {
    const place = folderOf(invocation)
    const isEmpty = invocation.words.length === 0 && !existsSync(place)
    const seen = isEmpty ? [] : await lookAtBackups(place)
    if (invocation.switches.has('json')) {
      result(JSON.stringify(seen, null, 2))
      return 0
    }
    if (seen.length === 0) tell(`There is no backup in ${place}: institute backup makes one.`)
    else for (const line of table([HEADS, ...seen.map(rowOf)])) result(line)
    return 0
  },
}
