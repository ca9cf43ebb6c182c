import type { Caller } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Note } from '../complaints.ts'
import type { Outcome, Standing } from '../preview.ts'
import type { RowReader, Values } from '../rows.ts'

export interface BranchInReach {
  id: string
  name: string
  code: string | null
  is_default: boolean
}

/** A slice of rows that is written in one transaction, in the name of whoever asked for the import. */
export interface Slice {
  caller: Caller
  /** Whether a guardian's phone that is known under another name refuses a row that does not say. */
  knownPhone: 'refuse' | 'link'
  /** The branch of rows that name none, if the import has one. */
  branchId: string | null
  /** The transaction, within the reach that the caller has by this permission. @throws ImportFailed without it */
  as(permission: Permission): Tx
  /** Reads once per slice what several rows need. */
  once<T>(what: string, read: () => Promise<T>): Promise<T>
  /** Counts what the rows after this one have to know where nothing is kept, such as places that it takes. */
  take(what: string, count: number): void
  /** Says of a row that it came to something that nobody asked for; not of one that is refused. */
  tell(row: Values, reason: Note['reason'], field: string): void
}

/** How the rows of one kind of import become records. */
export interface Kind {
  /** What the caller needs for each of these fields; null: for any file of this kind. */
  needs(reader: Pick<RowReader, 'has'>): readonly { permission: Permission; field: string | null }[]
  /** Lists of fields. A file must have at least one field of each list. */
  required: readonly (readonly string[])[]
  /**
   * By what a row may be of the same person as another one. Rows with a key in common are kept in one slice, so that they
   * see each other also where nothing is kept.
   */
  keys(values: Values): readonly string[]
  /**
   * Begins a slice that is written: takes what decides whether somebody is there already, so that nobody is added between the
   * look and the writing. It holds beyond rows that are refused.
   */
  begin?(slice: Slice, rows: readonly Values[]): Promise<void>
  /**
   * Begins a slice of which nothing is kept: makes the database as if the slices before it had taken what they took.
   */
  recall?(slice: Slice, rows: readonly Values[], taken: ReadonlyMap<string, number>): Promise<void>
  /**
   * Writes rows, each unless everything is as it says already, as if one were written after the other.
   * @returns what became of each
   * @throws RowRefused, or a refusal of the modules: nothing of the rows is kept then
   */
  apply(slice: Slice, rows: readonly Values[]): Promise<Outcome[]>
  /** What there is of a row, by the names of fields, for whoever tries it; nothing: it is not there yet. */
  stands(slice: Slice, values: Values): Promise<Standing>
  /** The guardians who have the phones of a row, whatever their names. */
  holders?(slice: Slice, values: Values): Promise<readonly string[]>
}

/** Writes rows one after the other. */
export const oneByOne =
  (apply: (slice: Slice, values: Values) => Promise<Outcome>): Kind['apply'] =>
  async (slice, rows) => {
    const outcomes: Outcome[] = []
    for (const values of rows) outcomes.push(await apply(slice, values))
    return outcomes
  }
