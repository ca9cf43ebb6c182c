import { setImmediate } from 'node:timers/promises'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { BYTE_ORDER_MARK, csvLines } from '#runtime/records/csv.ts'
import type { Complaint } from './complaints.ts'
import { fieldsOf } from './fields.ts'
import type { ImportRow } from './state.ts'
import type { ImportKind } from './tables.ts'
import { WORDS } from './words/index.ts'

const AT_ONCE = 500

const inWords = (kind: ImportKind, complaints: readonly Complaint[], locale: Locale): string =>
  complaints
    .map(({ column, field, reason }) => {
      // A field for which the file has no column has the head under which it would be known.
      const where = column ?? fieldsOf(kind).find(({ name }) => name === field)?.heads[0]
      return `${where === undefined ? '' : `${where}: `}${WORDS[locale].reasons[reason]}`
    })
    .join('; ')

/**
 * The rows that an import refused, as they stand in the file, with what is wrong: to mend and to import again. The column
 * of reasons stands last, and is read by no import.
 */
export const refusedCsv = async (whole: ScopedDb, row: ImportRow, locale: Locale): Promise<Buffer> => {
  const { row: rowHead, why } = WORDS[locale]
  const parts = [BYTE_ORDER_MARK + csvLines([[...row.columns, rowHead, why]])]
  let after = 0
  for (;;) {
    const rows = await whole
      .selectFrom('import_refusal')
      .select(['line', 'cells', 'reasons'])
      .where('import_id', '=', row.id)
      .where('line', '>', after)
      .orderBy('line')
      .limit(AT_ONCE)
      .execute()
    const last = rows.at(-1)
    if (!last) break
    after = last.line
    parts.push(
      csvLines(
        rows.map(({ line, cells, reasons }) => [
          ...row.columns.map((_, at) => cells[at] ?? ''),
          line,
          inWords(row.kind, reasons, locale),
        ]),
      ),
    )
    // Others have their turn.
    await setImmediate()
  }
  return Buffer.from(parts.join(''))
}
