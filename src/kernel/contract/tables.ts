import type { ColumnType, Kysely } from 'kysely'

/**
 * All tables of the database, with the JavaScript types of their columns. Each module adds its own by declaration
 * merging (`declare module '#kernel/contract/tables.ts'`), so this file need not know them. One import of such a file is enough
 * for the whole program.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Tables {}

/**
 * Any handle, also the whole database. Only for functions on tables that belong to no institute, which the program
 * calls before there are modules to say so.
 */
export type Queries = Pick<
  Kysely<Tables>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'fn' | 'case' | 'dynamic'
>

/** Only handles of `db/scope.ts` have it, so that the whole database does not compile where one of them is expected. */
declare const narrowed: unique symbol

/**
 * The database as code inside an institute sees it. It can only build queries: it cannot remove the tenant scope or run
 * raw SQL.
 */
export type ScopedDb = Queries & { readonly [narrowed]: true }
/**
 * Rows that belong to no institute (accounts, sessions, jobs), and the records of the institutes themselves. It refuses
 * rows inside institutes: code that needs them must name the institute.
 */
export type OutsideDb = ScopedDb
/** The whole database with all institutes. The lint rules name the few files that may use it. */
export type SystemDb = Kysely<Tables>

/** The tenant column. The tenant scope sets it; queries cannot. */
export type TenantId = ColumnType<string, never, never>
/** A column that is set on insert and never updated. */
export type Fixed<T> = ColumnType<T, T, never>
/** JSON text in the database, a parsed value in JavaScript. */
export type Json<T> = ColumnType<T, T, T>
/** A column that has a default in the database. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>

/**
 * How the tenant scope treats a table:
 * - `tenant`: each row belongs to an institute; every query is limited to the rows of its institute.
 * - `shared`: rows belong to no institute (user accounts). Code inside an institute may read but not change them; when
 *   `insertable`, it may also add rows.
 * - `self`: the record of the institute itself, whose id is the tenant id. It can be read and updated, not inserted or
 *   deleted.
 * - `system`: code inside an institute has no access (sessions, keys, jobs).
 */
export type TableRule =
  | { kind: 'shared'; insertable?: true; exported?: ExportedShared }
  | ({ kind: 'self' } & ExportedColumns)
  | { kind: 'system'; exported?: true }
  | ({
      kind: 'tenant'
      /**
       * The path to the branch, for callers whose permission is limited to branches. Absent: rows belong to no branch.
       */
      branch?: ReachPath
      /** The path to the group, for teachers. Absent while `branch` is set: teachers reach no rows of this table. */
      group?: ReachPath
    } & ExportedColumns)

/**
 * An export of an institute contains its record and all rows of `tenant` tables, with all columns except secrets. A
 * column is a secret when its name says so (see isSecretName); these two lists are for the other ones.
 */
interface ExportedColumns {
  /** Secrets whose names do not say so. */
  secrets?: readonly string[]
  /** Columns that are no secrets although their names sound like it. */
  noSecrets?: readonly string[]
}

/**
 * The rows of a shared table that an export of an institute contains: those whose id is in `column` of the institute's
 * rows in the table `of`, with these columns. A `system` table is exported only if it says so; it then has a column
 * tenant_id.
 */
export interface ExportedShared {
  of: string
  column: string
  columns: readonly string[]
}

/**
 * The path from a row to the branch or group that decides whether the caller reaches it:
 * - `{column}`: the column contains its id.
 * - `{column, of}`: the column refers to a row of the table `of`, whose own path continues.
 * - `{link, key, column, of}`: rows of the table `link` refer to this row by `key`, and by `column` to a row of `of`.
 * - `{any}`: several paths, of which one is enough.
 */
export type ReachPath = OneReachPath | { any: readonly OneReachPath[] }
export type OneReachPath =
  | { column: string }
  | { column: string; of: string }
  | { link: string; key: string; column: string; of: string }

export type TableRules = Readonly<Record<string, TableRule>>
