import { failure } from '#kernel/values/errors.ts'
import type { Locale } from '#shared/locale.ts'

/**
 * What a paper says, from top to bottom. A line break in a text begins a new line. Texts are printed as they are: nothing
 * in them is an instruction to the printer.
 */
export interface Paper {
  locale: Locale
  /** A sheet, or the endless roll of a receipt printer. */
  size: PaperSize
  /** A sheet lies on its long side. */
  isWide: boolean
  /** What the paper is, such as Invoice. */
  title: string
  /** By which it is known, such as its number. */
  number: string
  /** The day of the record, for the properties of the file. null: it has none. */
  date: string | null
  /** Large across each sheet: what its reader must not overlook. null: nothing. */
  mark: string | null
  /** Small below the title, such as Copy. null: nothing. */
  note: string | null
  letterhead: {
    name: string
    lines: readonly string[]
    /** #rrggbb; null: none is chosen. */
    color: string | null
  }
  blocks: readonly Block[]
  /** The small print at the end. null: none. */
  footer: string | null
  /** What stands around the numbers in "Page 1 of 3". */
  pageWords: readonly [before: string, between: string, after: string]
}

export const PAPER_SIZES = ['a4', '80mm'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

/** A label and what belongs to it. */
export interface Fact {
  label: string
  value: string
}

export interface Column {
  head: string
  /** Figures stand at the right in every language, so that their places line up. */
  align: 'start' | 'right' | 'center'
  /** The width: of its content, or a share of what is left. */
  width: 'content' | 'share'
}

export type Block =
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'table'; title: string | null; columns: readonly Column[]; rows: readonly (readonly string[])[] }
  /** Sums below a table; the last one is what counts. */
  | { kind: 'sums'; sums: readonly Fact[] }
  | { kind: 'text'; title: string | null; text: string }
  /** What the paper attests, large and in the middle. */
  | { kind: 'words'; text: string }
  /** A line to sign on, for each. */
  | { kind: 'signatures'; labels: readonly string[] }

export const PapersWaiting = failure(
  'RATE_LIMITED',
  'papers_waiting',
  'Too many papers for you or your institute wait to be made; ask again after Retry-After.',
)

/** Makes papers as PDF. Institutes take turns, and those who ask in one among themselves, before its mails. */
export interface Papers {
  /** Names the bytes of a paper, without making it. The same paper has the same bytes, and so the same ETag. */
  etag(paper: Paper, logo: Buffer | null): string
  /**
   * Makes the PDF.
   * @param logo a picture that stands at the top; one that cannot be read is left out
   * @throws PapersWaiting when too many papers wait; Error when the paper cannot be made
   */
  print(paper: Paper, logo: Buffer | null): Promise<Buffer>
  close(): Promise<void>
}
