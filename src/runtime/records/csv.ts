import { stringify, type Options } from 'csv-stringify/sync'

/** Without it, spreadsheet programs take Arabic and Hebrew in UTF-8 for another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Rows as CSV by RFC 4180. A text that a spreadsheet program would take for a formula gets an apostrophe in front.
 * @param options of csv-stringify, beside these
 */
export const csvLines = (rows: readonly (readonly unknown[])[], options: Options = {}): string =>
  stringify(rows as unknown[][], {
    record_delimiter: 'windows',
    escape_formulas: true,
    // Of itself it looks for the two together.
    quoted_match: /[\r\n]/,
    ...options,
  })
