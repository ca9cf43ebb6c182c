import type { Engine } from './database.ts'
import { rebuild, type TableChanges } from './rebuild.ts'
import { schemaKitV1, type AnyDb, type SchemaKitV1 } from './schema-kit-v1.ts'

export type { AnyDb }

/** One step of the schema. Its name is `0001_words`; once landed it is never changed. */
export interface Migration {
  /**
   * It calls `kit.rebuild`. On SQLite the foreign keys are then off until all pending steps are done: a delete takes no
   * children along, and a row that points at nothing is found only at the end, when all of it is refused.
   */
  readonly rebuilds?: true
  /**
   * For the planner of SQLite: how many of 200,000 rows have the same value of a column that stands in an index. One of
   * which no step says it has one or two; of what several say the last holds.
   */
  readonly rowsOfAValue?: Readonly<Record<string, number>>
  up(db: AnyDb, kit: SchemaKit): Promise<void>
}

/**
 * What a migration builds with, the same words for both engines. A function that a landed step calls is never changed:
 * what a new step wants otherwise stands here under another name.
 */
export interface SchemaKit extends SchemaKitV1 {
  /**
   * Changes what a table says of its rows and columns. Rows, indexes, triggers and what points at the table stay.
   * @throws when a row is not as the table wants it from now on; the whole migration is then undone
   */
  rebuild(db: AnyDb, table: string, changes: TableChanges): Promise<void>
}

export const schemaKit = (engine: Engine): SchemaKit => ({ ...schemaKitV1(engine), rebuild: rebuild[engine] })
