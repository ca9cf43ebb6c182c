import { setImmediate } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { LOCALES, type Locale } from '#kernel/locale.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Complaint } from './complaints.ts'
import { REASON_HEADS, REASON_WORDS } from './reason-words.ts'
import type { ImportRow } from './state.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const AT_ONCE = 500

/** The language that somebody wants, of those that the program speaks. */
export const localeWanted = (accepted: string | undefined, usual: Locale): Locale => {
  const wanted = (accepted ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return wanted.flatMap((one) => LOCALES.find((locale) => locale === one) ?? [])[0] ?? usual
}

const inWords = (complaints: readonly Complaint[], locale: Locale): string =>
  complaints
    .map(({ column, reason }) => `${column === null ? '' : `${column}: `}${REASON_WORDS[locale][reason]}`)
    .join('; ')

const toLines = (rows: readonly (readonly (string | number)[])[]): string =>
  stringify(rows as (string | number)[][], {
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted_match: /[\r\n]/,
  })

/**
 * The rows that an import refused, as they stand in the file, with what is wrong: to mend and to import again. The column
 * of reasons stands last, and is read by no import.
 */
export const refusedCsv = async (whole: ScopedDb, row: ImportRow, locale: Locale): Promise<Buffer> => {
  const { row: rowHead, why } = REASON_HEADS[locale]
  const parts = [BYTE_ORDER_MARK + toLines([[...row.columns, rowHead, why]])]
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
      toLines(
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
