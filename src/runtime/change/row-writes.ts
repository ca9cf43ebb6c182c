import { compiledByKeyInTenant, compiledInserts } from '#db/queries/compiled.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'

/** Writes rows of any table. A statement is compiled once for the columns that it writes. */

/** How many combinations of a table, the columns that are written and a kind of reach are compiled. */
const MAX_COMPILED_WRITES = 1000

/** Stands for every table. */
type AnyTable = 'audit_entry'

const written = compiledByKeyInTenant<object>(MAX_COMPILED_WRITES)

/** Values by the name of their column. */
type Columns = Record<string, unknown>

/** The name of the value that is no column: the id of the row to update. */
const ROW_ID = 'id of the row'

/** The columns with the slots of their values. */
const slotted = (columns: Columns, slots: Columns): never =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, slots[name]])) as never

const keyOf = (columns: Columns): string => Object.keys(columns).join()

const insert = compiledInserts<ScopedDb, Columns, object>(MAX_COMPILED_WRITES)

/**
 * Inserts rows, those with the same columns together. @param unique a column; a row whose value another row of the institute
 * has is not inserted
 * @returns the rows that were inserted, in any order
 */
export const insertColumns = async (
  db: ScopedDb,
  table: keyof Tables,
  { rows, unique }: { rows: readonly Columns[]; unique: string | undefined },
): Promise<object[]> => {
  const build = (handle: ScopedDb, columns: Columns[]) => {
    const inserted = handle.insertInto(table as AnyTable).values(columns as never)
    const unlessTaken =
      unique === undefined
        ? inserted
        : inserted.onConflict((conflict) => conflict.columns(['tenant_id', unique as 'id']).doNothing())
    return unlessTaken.returningAll()
  }
  const made: object[] = []
  for (const [columns, alike] of Map.groupBy(rows, keyOf)) {
    made.push(...(await insert(db, { key: `${table} ${unique} ${columns}`, build }, alike)))
  }
  return made
}

/** Updates the row with this id. @returns the row as it is then */
export const updateColumns = async (
  db: ScopedDb,
  table: keyof Tables,
  { id, columns }: { id: string; columns: Columns },
): Promise<object | undefined> => {
  const build = (handle: ScopedDb, slots: Columns) =>
    handle
      .updateTable(table as AnyTable)
      .set(slotted(columns, slots))
      .where('id', '=', slots[ROW_ID] as string)
      .returningAll()
  return (await written(db, { key: `update ${table} ${keyOf(columns)}`, build }, { ...columns, [ROW_ID]: id }))[0]
}
