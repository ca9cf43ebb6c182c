import type { Caller } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
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
  /** The transaction, within the reach that the caller has by this permission. @throws ImportFailed without it */
  as(permission: Permission): Tx
  /** Reads once per slice what several rows need. */
  once<T>(what: string, read: () => Promise<T>): Promise<T>
  /** Counts what the rows after this one have to know where nothing is kept, such as places that it takes. */
  take(what: string, count: number): void
}

export type Outcome = 'created' | 'updated' | 'unchanged'

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
  begin?(slice: Slice): Promise<void>
  /**
   * Begins a slice of which nothing is kept: makes the database as if the slices before it had taken what they took.
   */
  recall?(slice: Slice, rows: readonly Values[], taken: ReadonlyMap<string, number>): Promise<void>
  /**
   * Writes a row, unless everything is as it says already.
   * @throws RowRefused, or a refusal of the modules: nothing of the row is kept then
   */
  apply(slice: Slice, values: Values): Promise<Outcome>
}
