import { existsSync } from 'node:fs'
import path from 'node:path'
import { isSea } from 'node:sea'
import type { Config } from '#app/config/config.ts'

/** The paths of an install by install.sh, whose command `institute` uses this data directory. */
const INSTALLED = { program: '/opt/institute/institute', dataDir: '/var/lib/institute' }
/** There while systemd runs the machine. */
const SYSTEMD = '/run/systemd/system'
const UNIT = '/etc/systemd/system/institute.service'
const CHECKOUT = path.resolve(import.meta.dirname, '../../..')

/** Quotes a word for a shell where necessary. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The full command line, on this machine, of a command that uses this data directory. */
export const commandLine =
  ({ dataDir }: Pick<Config, 'dataDir'>, isExecutable: boolean, program = process.execPath) =>
  (words: string): string => {
    if (isExecutable && program === INSTALLED.program && dataDir === INSTALLED.dataDir) return `institute ${words}`
    const on = `${words} --data-dir ${quoted(dataDir)}`
    if (isExecutable) return `${quoted(program)} ${on}`
    return `npm run institute -- ${dataDir === path.join(CHECKOUT, 'data') ? words : on}`
  }

/** Whether the institute of this data directory is the service that install.sh made, where systemd runs the machine. */
export const isService = (
  { dataDir }: Pick<Config, 'dataDir'>,
  isThere: (file: string) => boolean = existsSync,
): boolean => dataDir === INSTALLED.dataDir && isThere(SYSTEMD) && isThere(UNIT)

/** What to type on this machine to start the program. */
export const startCommand = (config: Pick<Config, 'dataDir'>): string =>
  isService(config) ? 'sudo systemctl start institute' : commandLine(config, isSea())('serve')
