import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileTrouble } from '#app/trouble/file-trouble.ts'
import { Mistake } from '#app/trouble/mistake.ts'

/** The configuration file in the data directory. */
export const CONFIGURATION = 'institute.conf'

interface ConfigFile {
  values: Readonly<Record<string, string>>
  /** File and line of each value, as the beginning of a message. */
  places: Readonly<Record<string, string>>
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    if (code === 'EISDIR') throw new Mistake(`${file} is a folder, and must be a file: move it away.`)
    throw fileTrouble(error as NodeJS.ErrnoException, path.dirname(file)) ?? error
  }
}

/** The known key that was meant by one in lower case, with dashes or without INSTITUTE_. */
const meant = (key: string, known: ReadonlySet<string>): string | undefined => {
  const name = key.toUpperCase().replaceAll('-', '_')
  return [name, `INSTITUTE_${name}`].find((one) => known.has(one))
}

/** What is wrong with a line, and what to do. Repeats nothing that may be part of a secret. */
const wrongLine = (line: string, known: ReadonlySet<string>): string => {
  const [, exported, key = ''] = /^(export\s+)?([\w.-]+)\s*[=:]/.exec(line) ?? []
  const better = meant(key, known)
  if (exported && better === key) return `leave "export" out; it must begin with ${key}=`
  if (better === key) return `it must be written ${key}=value, with =`
  if (better !== undefined) return `${key} must be written ${better}`
  if (/^institute[_.-]/i.test(key)) return `${key} is no setting of this program; institute --help lists them`
  const [first = ''] = line.split(/\s/)
  return known.has(first)
    ? `${first} has no value; it must be written ${first}=value`
    : 'it is no setting, written KEY=value with a key that institute --help lists; notes begin with #'
}

/**
 * Reads the KEY=value lines of institute.conf; skips blank lines and lines that begin with #.
 * @param known every key there is
 * @throws a Mistake that names the line of an unknown key: ignoring it would leave a setting out of force unnoticed
 */
export const readConfigFile = (dataDir: string, known: ReadonlySet<string>): ConfigFile => {
  const file = path.join(dataDir, CONFIGURATION)
  const text = textOf(file)
  // Windows editors save UTF-16 under the name "Unicode".
  if (text.includes('\0')) throw new Mistake(`${file} is no plain text: save it again as UTF-8.`)
  const values: Record<string, string> = {}
  const places: Record<string, string> = {}
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('#')) continue
    const place = `${file}, line ${index + 1}: `
    const [, key = '', value = ''] = /^([A-Z\d_]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (!known.has(key)) throw new Mistake(`${place}${wrongLine(line, known)}.`)
    if (key === 'INSTITUTE_DATA_DIR') {
      throw new Mistake(
        `${place}INSTITUTE_DATA_DIR cannot stand in institute.conf, which lies in that folder: give it as --data-dir or in the environment.`,
      )
    }
    values[key] = value.replace(/^(["'])(.*)\1$/, '$2')
    places[key] = place
  }
  return { values, places }
}
