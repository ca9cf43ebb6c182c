import { openReader, openWriter } from './sqlite.ts'

/**
 * Copies a SQLite database as it is at one moment, while others go on writing to it. Page by page, for the search index
 * knows rows by numbers that a rebuilt file (VACUUM INTO) would give anew; and all pages in one step, for between two
 * steps a write of another process would start the copy over.
 */
export const copyDatabase = async (from: string, to: string): Promise<void> => {
  const raw = openReader(from)
  try {
    await raw.backup(to, { progress: () => 0x7fff_ffff })
  } finally {
    raw.close()
  }
}

const hasTable = (raw: ReturnType<typeof openReader>, name: string): boolean =>
  raw.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(name) !== undefined

/** Whether any step of the schema was ever taken in this file. */
export const hasSchema = (file: string): boolean => {
  const raw = openReader(file)
  try {
    return hasTable(raw, 'schema_migration')
  } finally {
    raw.close()
  }
}

/** Whether anything in a file that nobody else has open is of no use without the master key; leaves it in one piece. */
export const holdsSecrets = (file: string): boolean => {
  const raw = openWriter(file, { mustExist: true })
  try {
    return hasTable(raw, 'sealed_secret') && raw.prepare('select 1 from sealed_secret').get() !== undefined
  } finally {
    raw.close()
  }
}

interface Violation {
  table: string
  parent: string
}

const problemsOf = (raw: ReturnType<typeof openReader>): string[] => {
  const integrity = (raw.pragma('integrity_check(10)') as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((text) => text !== 'ok')
  const orphans = (raw.pragma('foreign_key_check') as Violation[])
    .slice(0, 10)
    .map(({ table, parent }) => `a row of ${table} points at nothing in ${parent}`)
  return [...integrity, ...orphans]
}

/** What is wrong with a database that may be in use, its search indexes included; nothing: []. */
export const problemsOfLive = (file: string): string[] => {
  const raw = openReader(file)
  try {
    return problemsOf(raw)
  } finally {
    raw.close()
  }
}

/** The same of a file that nobody else has open; leaves it in one piece, with no log beside it. */
export const problemsOfCopy = (file: string): string[] => {
  const raw = openWriter(file, { mustExist: true })
  try {
    return problemsOf(raw)
  } finally {
    raw.close()
  }
}
