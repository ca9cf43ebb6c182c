import type { Tx } from './unit-of-work.ts'

/** Two records of one person. */
export interface MergedPair {
  /** The one that stays. */
  id: string
  otherId: string
  /** The branch of the other; null: it has none of its own. */
  otherBranchId: string | null
}

/**
 * A column in which a table names a student or a guardian. Where two records of one person are merged, its rows move: each
 * module says so of its own tables (`Module.persons`).
 */
export interface PersonColumn {
  of: 'student' | 'guardian'
  table: string
  column: string
  /** What there may be once for each person: sets of columns of which no two rows of one person are alike. */
  once?: readonly (readonly string[])[]
  /** Only rows with this value of a column are meant by `once`. */
  where?: readonly [column: string, value: string]
  /** What becomes of a row where the person who stays has one too: it stands against the merge, or it goes. */
  twice?: 'refused' | 'dropped'
  /** Makes rows ready that could not move as they are. */
  settle?(tx: Tx, pair: MergedPair): Promise<void>
}
