import type { Permission } from '#kernel/rights/permissions.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from './tables.ts'

/** For whom a file is written, and what they may know. */
export interface FileReader {
  locale: Locale
  /** The time zone of the institute. */
  zone: string
  /** Its currency, of amounts whose record does not say it. */
  currency: string
  whole: ScopedDb
  may: (permission: Permission) => boolean
}

/** A text, or a moment. */
export type FileCell = string | { instant: string }

/**
 * How a list stands in a file where that is not a column for each field of its records: for what people read in sentences.
 * `Records` are those of a page.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- erased: whoever declares one types it
export interface ListFile<Records extends readonly unknown[] = any> {
  heads(locale: Locale): readonly string[]
  /** A row for each record. */
  rows(records: Records, reader: FileReader): Promise<readonly (readonly FileCell[])[]>
}
