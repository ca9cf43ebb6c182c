import { failure, InvalidInput, type Issue } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

export const OrderChanged = failure(
  'CONFLICT',
  'order_changed',
  'Somebody else added, removed or sorted some of these meanwhile; reload them and sort again.',
)

interface Sorted {
  id: string
  sort_order: number
}

const isOrderOf = (rows: readonly Sorted[], ids: readonly string[]): boolean =>
  ids.length === rows.length && rows.every(({ id }, at) => id === ids[at])

/**
 * Looks whether the rows stand as whoever sorts them saw them: without it, what two people sort at once would silently be
 * as the later one had it. Where they stand as is wanted, the same was asked before, and its answer was lost.
 * @throws OrderChanged
 */
export const checkSeen = (
  rows: readonly Sorted[],
  { ids, seen }: { ids: readonly string[]; seen?: readonly string[] | undefined },
): void => {
  if (seen !== undefined && !isOrderOf(rows, seen) && !isOrderOf(rows, ids)) throw OrderChanged()
}

/**
 * Sorts the rows by a list of ids, which must be exactly theirs.
 * @param rows `what` they are, for the message: "section of the course"
 * @throws VALIDATION_ERROR that names each id that is unknown, named twice or left out
 */
export const sortedBy = <R extends Sorted>(rows: readonly R[], ids: readonly string[], what: string): R[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const issues: Issue[] = []
  const sorted: R[] = []
  for (const [index, id] of ids.entries()) {
    const row = byId.get(id)
    const path = ['ids', String(index)]
    if (row === undefined) issues.push({ path, message: `Must be a ${what}.` })
    else if (ids.indexOf(id) < index) issues.push({ path, message: 'Must not be named twice.' })
    else sorted.push(row)
  }
  const named = new Set(ids)
  const left = rows.filter(({ id }) => !named.has(id))
  if (left.length > 0) {
    issues.push({
      path: ['ids'],
      message: `Must name every ${what}; left out: ${left.map(({ id }) => id).join(', ')}.`,
    })
  }
  if (issues.length > 0) throw InvalidInput({ issues })
  return sorted
}

/** Gives the rows the sort orders 0, 1, 2 … as they stand here. The course must be locked. */
export const renumber = async (tx: Tx, table: 'section' | 'lesson', rows: readonly Sorted[]): Promise<void> => {
  const moved = rows.flatMap((row, index) => (row.sort_order === index ? [] : [{ id: row.id, index }]))
  const [first, ...others] = moved
  if (first === undefined) return
  await tx.db
    // Both tables have these columns.
    .updateTable(table as 'section')
    .set((eb) => {
      let place = eb.case().when('id', '=', first.id).then(eb.lit(first.index))
      for (const { id, index } of others) place = place.when('id', '=', id).then(eb.lit(index))
      return { sort_order: place.else(eb.ref('sort_order')).end(), version: eb('version', '+', 1), updated_at: tx.now }
    })
    .where(
      'id',
      'in',
      moved.map(({ id }) => id),
    )
    .execute()
}
