import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** An institute in an earlier schema. */
export interface Kept {
  /** What the API returned about it. */
  facts: { summary: unknown; students: { id: string; studentNumber: string }[] }
  /** Every table's rows as a program reads them, in an order in which the tables can be filled. */
  tables: Record<string, Record<string, unknown>[]>
}

/** The master key of the kept institutes only. */
export const KEPT_MASTER_KEY = Buffer.alloc(32, 'the kept institutes of old')

export const KEPT_OWNER = { email: 'owner@example.org', password: 'olive tree by the gate' }

/** The engines' own tables, those of the search index, and those with short-lived rows. */
export const UNKEPT_TABLES =
  /^(sqlite_.*|.*_search(_.*)?|schema_migration.*|auth_session|sealed_secret|job|idempotency_record)$/

const FOLDER = path.join(import.meta.dirname, 'kept')

/** The last migration of each schema of which an institute was kept. */
export const KEPT: string[] = readdirSync(FOLDER).map((name) => path.basename(name, '.json'))

export const readKept = (step: string): Kept => JSON.parse(readFileSync(path.join(FOLDER, `${step}.json`), 'utf8'))
