import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { CONFIGURATION } from './config-file.ts'
import { replaceFile } from './replace-file.ts'

const lineOf = (key: string, value: string): string => `${key}=${value}`

/**
 * Puts settings into the text of a configuration file. Each replaces the last line with its key, which is the one that
 * counts, or is appended. All other lines stay as they are.
 */
export const withSettings = (text: string, settings: Readonly<Record<string, string>>): string => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [key, value] of Object.entries(settings)) {
    const at = lines.findLastIndex((line) => new RegExp(`^\\s*${key}\\s*=`).test(line))
    if (at === -1) lines.push(lineOf(key, value))
    else lines[at] = lineOf(key, value)
  }
  return `${lines.join('\n')}\n`
}

/**
 * Writes settings into `<data dir>/institute.conf`, atomically and with mode 0600, because it may contain passwords. If
 * the file is a link, its target is written.
 * @param settings values of one line each
 */
export const writeSettings = (dataDir: string, settings: Readonly<Record<string, string>>): void => {
  const named = path.join(dataDir, CONFIGURATION)
  const file = existsSync(named) ? realpathSync(named) : named
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  replaceFile(file, withSettings(text, settings))
}
