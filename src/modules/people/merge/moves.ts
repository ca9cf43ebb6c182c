import type { ExpressionBuilder } from 'kysely'
import type { MergedPair, PersonColumn } from '#kernel/contract/person-columns.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** The rows of all modules that name one of two records of a person. Their tables are values here. */

export interface Counted {
  /** The table. */
  what: string
  count: number
}

type Pair = Pick<MergedPair, 'id' | 'otherId'>

/** Queries are typed for this table, and run on any of those that modules name. */
type AnyTable = 'enrollment'

const anyTable = (table: string): AnyTable => table as AnyTable

/** Whether the record that stays has a row of the same kind as one of the other. */
const isTwice = (
  db: ScopedDb,
  { table, column, once = [], where }: PersonColumn,
  { id }: Pair,
  eb: ExpressionBuilder<Tables, AnyTable>,
) => {
  const kept = (columns: readonly string[]) => {
    let query = db
      .selectFrom(`${anyTable(table)} as kept`)
      .select((ref) => ref.lit(1).as('one'))
      .where(`kept.${column}` as 'kept.student_id', '=', id)
    for (const name of columns) {
      query = query.whereRef(
        `kept.${name}` as 'kept.group_id',
        '=',
        `${table}.${name}` as 'enrollment.group_id' as never,
      )
    }
    if (where) query = query.where(`kept.${where[0]}` as 'kept.group_id', '=', where[1])
    return eb.exists(query)
  }
  const any = eb.or(once.map(kept))
  return where ? eb.and([any, eb(where[0] as 'group_id', '=', where[1])]) : any
}

const ofOther = (db: ScopedDb, { table, column }: PersonColumn, { otherId }: Pair) =>
  db
    .selectFrom(anyTable(table))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(`${table}.${column}` as 'enrollment.student_id', '=', otherId)

/** What would move, and what stands against it. */
export const lookAt = async (
  db: ScopedDb,
  columns: readonly PersonColumn[],
  pair: Pair,
): Promise<{ moves: Counted[]; against: Counted[] }> => {
  const moves: Counted[] = []
  const against: Counted[] = []
  for (const column of columns) {
    const { count } = await ofOther(db, column, pair).executeTakeFirstOrThrow()
    if (count === 0) continue
    const twice = column.once
      ? await ofOther(db, column, pair)
          .where((eb) => isTwice(db, column, pair, eb))
          .executeTakeFirstOrThrow()
      : { count: 0 }
    if (twice.count > 0 && column.twice !== 'dropped') against.push({ what: column.table, count: twice.count })
    const moved = column.twice === 'dropped' ? count - twice.count : count
    if (moved > 0) moves.push({ what: column.table, count: moved })
  }
  return { moves, against }
}

/** Moves all rows of the other record that can move; those of which there may be one go. */
export const moveAll = async (tx: Tx, columns: readonly PersonColumn[], pair: MergedPair): Promise<void> => {
  const db = tx.whole
  for (const column of columns) {
    await column.settle?.(tx, pair)
    const name = column.column as 'student_id'
    if (column.twice === 'dropped') {
      await db
        .deleteFrom(anyTable(column.table))
        .where(name, '=', pair.otherId)
        .where((eb) => isTwice(db, column, pair, eb))
        .execute()
    }
    await db
      .updateTable(anyTable(column.table))
      .set({ [name]: pair.id } as object)
      .where(name, '=', pair.otherId)
      .execute()
  }
}
