import { existsSync } from 'node:fs'
import path from 'node:path'
import { isSea } from 'node:sea'
import { PLATFORM, type Platform } from '#executable/platform.ts'
import { SYSTEM } from '#executable/system-words.ts'
import type { Config } from '#app/config/config.ts'

interface Installed {
  program: string
  dataDir: string
  /** What uses this data directory when it is typed. */
  command: string
  /** There where it is a service. */
  files: readonly string[]
}

/** The paths of an install by install.sh, and of one by the set-up for Windows. */
const INSTALLED: Readonly<Record<Platform, Installed>> = {
  unix: {
    program: '/opt/institute/institute',
    dataDir: '/var/lib/institute',
    command: 'institute',
    // The first is there while systemd runs the machine.
    files: ['/run/systemd/system', '/etc/systemd/system/institute.service'],
  },
  windows: {
    program: String.raw`C:\Program Files\Institute\institute.exe`,
    dataDir: String.raw`C:\ProgramData\Institute\data`,
    command: String.raw`"C:\Program Files\Institute\institute.cmd"`,
    files: [String.raw`C:\Program Files\Institute\institute-host.exe`],
  },
}
const CHECKOUT = path.resolve(import.meta.dirname, '../../..')

/** Quotes a word for a shell where necessary. */
const QUOTED: Readonly<Record<Platform, (word: string) => string>> = {
  unix: (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`),
  // No path of Windows has a quotation mark.
  windows: (word) => (/^[\w+:./\\-]+$/.test(word) ? word : `"${word}"`),
}

/** The full command line, on this machine, of a command that uses this data directory. */
export const commandLine =
  ({ dataDir }: Pick<Config, 'dataDir'>, isExecutable: boolean, program = process.execPath, platform = PLATFORM) =>
  (words: string): string => {
    const [installed, quoted] = [INSTALLED[platform], QUOTED[platform]]
    if (isExecutable && program === installed.program && dataDir === installed.dataDir)
      return `${installed.command} ${words}`
    const on = `${words} --data-dir ${quoted(dataDir)}`
    if (isExecutable) return `${quoted(program)} ${on}`
    return `npm run institute -- ${dataDir === path.join(CHECKOUT, 'data') ? words : on}`
  }

/** Whether the institute of this data directory is the service that install.sh or the set-up for Windows made. */
export const isService = (
  { dataDir }: Pick<Config, 'dataDir'>,
  isThere: (file: string) => boolean = existsSync,
  platform = PLATFORM,
): boolean => dataDir === INSTALLED[platform].dataDir && INSTALLED[platform].files.every((file) => isThere(file))

/** What to type on this machine to start the program. */
export const startCommand = (config: Pick<Config, 'dataDir'>): string =>
  isService(config) ? SYSTEM.start : commandLine(config, isSea())('serve')
