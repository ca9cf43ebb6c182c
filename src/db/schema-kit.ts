import type { Engine } from './database.ts'
import { rebuild, type TableChanges } from './steps/rebuild.ts'
import { schemaKitV1, type AnyDb, type SchemaKitV1 } from './schema-kit-v1.ts'

export type { AnyDb }

/** One migration. Its name is `0001_words`; once it has landed, it never changes. */
export interface Migration {
  /**
   * The migration calls `kit.rebuild`. On SQLite, foreign keys are then off until all pending migrations have run:
   * deletes do not cascade, and a row that refers to nothing is only found at the end, when everything is rolled back.
   */
  readonly rebuilds?: true
  /**
   * The version before this migration cannot work on the database after it: a table or column is gone or renamed, or a
   * rule refuses what that version writes. Processes of both versions then never run side by side.
   */
  readonly alone?: true
  /**
   * For SQLite's query planner: how many of 200,000 rows share one value of an indexed column. Columns that no
   * migration mentions have one or two; if several migrations mention a column, the last one counts.
   */
  readonly rowsOfAValue?: Readonly<Record<string, number>>
  up(db: AnyDb, kit: SchemaKit): Promise<void>
}

/**
 * The functions that migrations use, the same for both engines. A function that a landed migration calls never changes;
 * a new migration that needs something else adds it here under another name.
 */
export interface SchemaKit extends SchemaKitV1 {
  /**
   * Changes the definition of a table's columns and rules. Rows, indexes, triggers and references to the table stay.
   * @throws when a row does not fit the new definition; the whole migration is then rolled back
   */
  rebuild(db: AnyDb, table: string, changes: TableChanges): Promise<void>
}

export const schemaKit = (engine: Engine): SchemaKit => ({ ...schemaKitV1(engine), rebuild: rebuild[engine] })
