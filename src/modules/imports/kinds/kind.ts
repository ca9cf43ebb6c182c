import type { Caller } from '#kernel/actor.ts'
import type { Permission } from '#kernel/permissions.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { RowReader, Values } from '../rows.ts'
import type { TableRow } from '../table.ts'

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
}

export type Outcome = 'created' | 'updated' | 'unchanged'

/** How the rows of one kind of import become records. */
export interface Kind {
  /** What the caller needs for each of these fields; null: for any file of this kind. */
  needs(reader: Pick<RowReader, 'has'>): readonly { permission: Permission; field: string | null }[]
  /** Fields of which a file must have at least one, each list for itself. */
  required: readonly (readonly string[])[]
  /**
   * Rows with the same text are kept in one slice, so that a dry run sees what they do to each other: rows of one student,
   * or of one group.
   */
  togetherBy(row: TableRow, reader: RowReader): string
  /**
   * Writes a row, unless everything is as it says already.
   * @throws RowRefused, or a refusal of the modules: nothing of the row is kept then
   */
  apply(slice: Slice, values: Values): Promise<Outcome>
}
