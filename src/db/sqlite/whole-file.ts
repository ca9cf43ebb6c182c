import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { openReader, openWriter } from './sqlite.ts'

/** Pages that are copied at once: 4 MB. */
const STEP = 1024

/**
 * Copies a SQLite database as it is at one moment, while others write to it. It copies pages (not VACUUM INTO, which
 * would change the rowids that the search index refers to), step by step, so that others get the disk in between. All
 * steps are inside one read transaction: without it, a write between two steps would restart the copy.
 * @param gently for a copy beside a server that needs the disk: rests for as long as it works
 */
export const copyDatabase = async (from: string, to: string, { gently = false } = {}): Promise<void> => {
  const raw = openReader(from)
  const copy = openSync(to, 'a', 0o600)
  let began = performance.now()
  const rest = (): void => {
    // Otherwise the pages that gathered in memory would be written all at once, and others would wait for the disk meanwhile.
    fdatasyncSync(copy)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, performance.now() - began)
    began = performance.now()
  }
  try {
    raw.exec('begin')
    raw.prepare('select 1 from sqlite_schema').get()
    const progress = (): number => {
      if (gently) rest()
      return STEP
    }
    await raw.backup(to, { progress })
  } finally {
    raw.close()
    closeSync(copy)
  }
}

const hasTable = (raw: ReturnType<typeof openReader>, name: string): boolean =>
  raw.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(name) !== undefined

/** Whether a migration has ever run in this file. */
export const hasSchema = (file: string): boolean => {
  const raw = openReader(file)
  try {
    return hasTable(raw, 'schema_migration')
  } finally {
    raw.close()
  }
}

/**
 * Whether the file contains secrets that need the master key. Nobody else may have the file open; afterwards it has no
 * write-ahead log.
 */
export const holdsSecrets = (file: string): boolean => {
  const raw = openWriter(file, { mustExist: true })
  try {
    return hasTable(raw, 'sealed_secret') && raw.prepare('select 1 from sealed_secret').get() !== undefined
  } finally {
    raw.close()
  }
}

/** Figures that tell one database from another; null: this one has none, or more than one. */
export interface Figures {
  institute: string | null
  students: number | null
  guardians: number | null
  staff: number | null
  invoices: number | null
  payments: number | null
  /** When somebody last changed anything. */
  lastChangeAt: string | null
}

export const NO_FIGURES: Figures = {
  institute: null,
  students: null,
  guardians: null,
  staff: null,
  invoices: null,
  payments: null,
  lastChangeAt: null,
}

/** Reads a database of any version, which nobody else has open. Afterwards it has no write-ahead log. */
export const figuresOf = (file: string): Figures => {
  const raw = openWriter(file, { mustExist: true })
  try {
    const names = hasTable(raw, 'tenant') ? raw.prepare('select name from tenant limit 2').pluck().all() : []
    const count = (table: 'student' | 'guardian' | 'staff' | 'invoice' | 'payment'): number | null =>
      hasTable(raw, table) ? (raw.prepare(`select count(*) from ${table}`).pluck().get() as number) : null
    // What the server does by itself is no change of anybody’s.
    const lastChange = `select created_at from audit_entry where actor_type <> 'system' order by created_at desc limit 1`
    return {
      institute: names.length === 1 ? (names[0] as string) : null,
      students: count('student'),
      guardians: count('guardian'),
      staff: count('staff'),
      invoices: count('invoice'),
      payments: count('payment'),
      lastChangeAt: hasTable(raw, 'audit_entry')
        ? ((raw.prepare(lastChange).pluck().get() as string | undefined) ?? null)
        : null,
    }
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

/** Returns the problems of a database that may be in use, including its search indexes; empty: none. */
export const problemsOfLive = (file: string): string[] => {
  const raw = openReader(file)
  try {
    return problemsOf(raw)
  } finally {
    raw.close()
  }
}

/** Like `problemsOfLive`, for a file that nobody else has open. Afterwards it has no write-ahead log. */
export const problemsOfCopy = (file: string): string[] => {
  const raw = openWriter(file, { mustExist: true })
  try {
    return problemsOf(raw)
  } finally {
    raw.close()
  }
}
