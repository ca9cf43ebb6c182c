import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What an institute looked like in an earlier schema. */
export interface Kept {
  /** What the API said of it. */
  facts: { summary: unknown; students: { id: string; studentNumber: string }[] }
  /** Every table's rows as a program reads them, in an order in which they can be filled. */
  tables: Record<string, Record<string, unknown>[]>
}

/** The key of the kept institutes and of nothing else. */
export const KEPT_MASTER_KEY = Buffer.alloc(32, 'the kept institutes of old')

export const KEPT_OWNER = { email: 'owner@example.org', password: 'olive tree by the gate' }

/** The engines' own, those of the search index, and what is made anew or ends by itself. */
export const UNKEPT_TABLES =
  /^(sqlite_.*|.*_search(_.*)?|schema_migration.*|auth_session|sealed_secret|job|idempotency_record)$/

const FOLDER = path.join(import.meta.dirname, 'kept')

/** The last step of each schema that an institute was kept of. */
export const KEPT: string[] = readdirSync(FOLDER).map((name) => path.basename(name, '.json'))

export const readKept = (step: string): Kept => JSON.parse(readFileSync(path.join(FOLDER, `${step}.json`), 'utf8'))
