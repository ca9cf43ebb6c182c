import { setImmediate } from 'node:timers/promises'
import { fieldLabel } from '#shared/import-words/label.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { BYTE_ORDER_MARK, csvLines } from '#runtime/records/csv.ts'
import type { Complaint } from './complaints.ts'
import type { ImportRow } from './state.ts'
import { WORDS } from './words/index.ts'

const AT_ONCE = 500

/** Where something is wrong: the head of the column, or what a field is called for which the file has none. */
export const placeInWords = ({ column, field }: Pick<Complaint, 'column' | 'field'>, locale: Locale): string | null =>
  column ?? (field === null ? null : fieldLabel(WORDS[locale].labels, field))

const inWords = (complaints: readonly Complaint[], locale: Locale): string =>
  complaints
    .map((complaint) => {
      const where = placeInWords(complaint, locale)
      return `${where === null ? '' : `${where}: `}${WORDS[locale].reasons[complaint.reason]}`
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
          inWords(reasons, locale),
        ]),
      ),
    )
    // Others have their turn.
    await setImmediate()
  }
  return Buffer.from(parts.join(''))
}
