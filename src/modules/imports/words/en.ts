import { importLabels, importReasons } from '#shared/import-words/en.ts'
import type { Reason } from '../complaints.ts'

export const en = {
  /** The heads of what the file of refused rows adds to each. */
  row: 'Row in the file',
  why: 'Why it was refused',
  reasons: importReasons satisfies Readonly<Record<Reason, string>>,
  labels: importLabels,
  /** What the line of an invoice says unless the row says something else. */
  openingBalance: 'Opening balance',
}

export type ImportWords = typeof en
