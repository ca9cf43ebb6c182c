import { importReasons } from '#shared/import-reasons/en.ts'
import type { Reason } from '../complaints.ts'

export const en = {
  /** The heads of what the file of refused rows adds to each. */
  row: 'Row in the file',
  why: 'Why it was refused',
  reasons: importReasons satisfies Readonly<Record<Reason, string>>,
  /** What the line of an invoice says unless the row says something else. */
  openingBalance: 'Opening balance',
}

export type ImportWords = typeof en
