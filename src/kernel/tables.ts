import type { ColumnType, Kysely } from 'kysely'

/**
 * Every table of the database with the JavaScript types of its columns. A module adds its own by declaration merging
 * (`declare module '#kernel/tables.ts'`), so that this file never has to know them.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Tables {}

/** What institute code can do with the database: build queries. No plugin can be taken off, nothing foreign executed. */
export type ScopedDb = Pick<
  Kysely<Tables>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'fn' | 'case' | 'dynamic'
>
/**
 * What belongs to no institute (accounts, sessions, jobs), and the institutes' own records. Rows inside institutes are
 * refused: whoever works for one names it.
 */
export type OutsideDb = ScopedDb
/** The whole database, every institute in it. The few that may ask for it stand by name in the linter's rules. */
export type SystemDb = Kysely<Tables>

/** The tenant's column: written by the scope, never by a query. */
export type TenantId = ColumnType<string, never, never>
/** A column that is set once, when the row is made. */
export type Fixed<T> = ColumnType<T, T, never>
/** JSON text in the database, a parsed value in JavaScript. */
export type Json<T> = ColumnType<T, T, T>
/** A column with a default in the database. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>

/**
 * How a table is kept apart.
 * - `tenant`: rows belong to an institute; every query is narrowed to the caller's.
 * - `shared`: rows belong to nobody's institute (user accounts) and may be read from inside one, never changed there;
 *   `insertable` ones may be added to.
 * - `self`: the institute's own record, its id being the tenant's; read and updated, neither added nor deleted.
 * - `system`: out of reach of institute code altogether (sessions, keys, jobs).
 */
export type TableRule =
  | { kind: 'shared'; insertable?: true }
  | { kind: 'self' }
  | { kind: 'system' }
  | {
      kind: 'tenant'
      /** The way to the branch, for callers whose permission reaches some branches only. Absent: rows of no branch. */
      branch?: ReachPath
      /** The way to the group, for teachers. Absent while `branch` is there: out of a teacher's reach. */
      group?: ReachPath
    }

/**
 * The way from a row to the branch (or group) that decides whether a caller reaches it.
 * - `{column}`: the row names it itself.
 * - `{column, of}`: the row belongs, by `column`, to a row of the table `of`, which is asked in turn.
 * - `{link, key, column, of}`: rows of the table `link` whose `key` is this row's id lead by `column` to the table `of`.
 * - `{any}`: one of several ways is enough.
 */
export type ReachPath = OneReachPath | { any: readonly OneReachPath[] }
export type OneReachPath =
  | { column: string }
  | { column: string; of: string }
  | { link: string; key: string; column: string; of: string }

export type TableRules = Readonly<Record<string, TableRule>>
