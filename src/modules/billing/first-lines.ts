import { compiledByIds } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** What an invoice is for, where there is room for one line. */
interface FirstLine {
  firstLine: string
  lineCount: number
}

const linesOf = compiledByIds((whole, ids) =>
  whole
    .selectFrom('invoice_line')
    .select('invoice_id')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.max(eb.case().when('position', '=', 0).then(eb.ref('description')).end()).as('first'),
    ])
    .where('invoice_id', 'in', ids)
    .groupBy('invoice_id'),
)

const NONE: FirstLine = { firstLine: '', lineCount: 0 }

/** The first lines of these invoices. */
export const readFirstLines = async (whole: ScopedDb, ids: readonly string[]): Promise<(id: string) => FirstLine> => {
  const rows = ids.length === 0 ? [] : await linesOf(whole, [...ids])
  const known = new Map(rows.map((row) => [row.invoice_id, { firstLine: row.first ?? '', lineCount: row.count }]))
  return (id) => known.get(id) ?? NONE
}
