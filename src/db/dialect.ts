import { PostgresAdapter, sql, type RawBuilder } from 'kysely'
import { StorageProblem, type Failure } from '#kernel/values/errors.ts'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import { brokenForeignKey, brokenUnique, type DriverError } from './broken-rules.ts'
import type { Engine } from './database.ts'

/** Together with its neighbours in this folder, the only code that knows the differences between the two engines. */

type Handle = ScopedDb | SystemDb

/** The engine of a handle. Each handle is a Kysely instance, even if its type does not show it. */
export const engineOf = (db: Handle): Engine =>
  (db as SystemDb).getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/**
 * For `.catch(…)` after a write: translates broken constraints into refusals. `unique` maps `table(column,…)` (see
 * brokenUnique) to a refusal; `foreignKey` is the refusal of a delete while other records refer to the row.
 * @throws the refusal, or the error itself
 */
export const refusing =
  ({ unique = {}, foreignKey }: { unique?: Record<string, Failure>; foreignKey?: Failure }) =>
  (error: unknown): never => {
    const broken = brokenUnique(error)
    const refusal = broken === undefined ? undefined : unique[broken]
    if (refusal) throw refusal()
    if (foreignKey && brokenForeignKey(error)) throw foreignKey()
    throw error
  }

/** Whether the storage itself failed: disk full, read-only folder, database unreachable. Nothing was changed. */
export const isStorageFailure = (error: unknown): boolean => {
  const { code = '', message = '' } = error as DriverError
  return (
    error instanceof StorageProblem ||
    // The Postgres driver's own errors about lost connections have no code.
    /^(Connection terminated|Client (has encountered a connection error|was closed))/.test(message) ||
    /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|CORRUPT)/.test(code) ||
    // 25P03: the transaction did nothing for too long, because this process stood still.
    /^(08|53|57P0|58|25P03)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(code)
  )
}

/*
 * Row locks on Postgres. On SQLite there is only one writer at a time, and the same code runs without row locks.
 *
 * A change locks the rows that its decision depends on, then reads them and decides: an unlocked read may be outdated.
 * So a change notices that a record is gone before it stores a reference to it (404), and that a record is referenced
 * before it deletes it (409), without a foreign key error. There are three row locks, named as in SQL:
 *
 * - `forKeyShare`: for a row that this change is about to refer to from another row (the branch of a new student, the
 *   teacher of a session). Others may change the row, but not delete it. Several transactions can hold it at once.
 * - `forNoKeyUpdate`: for a row that this change updates, or whose fields it decides by. One transaction holds it at a
 *   time; others may still add references to the row.
 * - `forUpdate`: for a row that this change deletes. Nobody else can change it or add a reference to it. Use it for
 *   deletes only: it blocks everyone who refers to the row, which for a branch is the whole institute.
 *
 * For single records, use `lockReferenced`, `lockReferencedRow`, `lockRow` and `lockToDelete` of src/runtime/records/records.ts.
 *
 * A rule about several rows is protected by one row, its root. Every change that the rule concerns locks the root
 * first: an account for its sessions, its mailed links and what its user changes of it; the institute for settings, its
 * currency and the choice of the default branch; the owner's role for the last
 * owner; a group for its schedule, capacity and sessions; a student for status, enrollments, links to guardians and
 * billed fees; a session for its attendance; an invoice for lines and payments; a membership for roles and invitation;
 * a webhook endpoint for its deliveries; a licence for its commands and installs; a course for the order of its sections
 * and lessons; a course enrollment for what its student completes; a plan for who has it and what it grants; a
 * publishable key for the registrations of its day; a counter (`lockCounter`) for what an import looks for by what people
 * know of it, and adds where it is not there: students, staff, opening balances. A delete that cascades locks the
 * dependent rows before it reads them.
 *
 * To avoid deadlocks, locks are taken in one order. Roots come before the rows below them, in this order: account,
 * session; account, membership; account, the owner's role; tenant, API key, role, membership, invitation, student, lead,
 * guardian, enrollment; group, session, attendance; student, group, account of a payer, invoice, entry of a till; course, section, lesson;
 * student, course enrollment; subscription, plan, tenant.
 * Several rows of one table: ordered by id. A key share lock may be taken at any time before the reference is stored:
 * it waits only for deletes, and no delete waits for a transaction that holds a key share lock on another row. Counters
 * come last (`nextNumber`), but for that of an import, which comes before the rows that it writes.
 *
 * test/api/every-endpoint/pairs.test.ts checks these rules for every change; test/api/runtime/races.test.ts checks the
 * cases that its examples do not reach.
 */

/** For a row that this change deletes: nobody else can change it or add a reference to it. */
export const forUpdate = <Q extends { forUpdate(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forUpdate() : query

/** For a row that this change updates or decides by: others may still add references to it. */
export const forNoKeyUpdate = <Q extends { forNoKeyUpdate(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forNoKeyUpdate() : query

/**
 * For rows that this change is about to refer to: others may change them, but not delete them, until this change ends.
 */
export const forKeyShare = <Q extends { forKeyShare(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forKeyShare() : query

/** A value that stands in the text of a query itself, so that a partial index over it is used. */
export const constant = <Value extends string>(value: Value): RawBuilder<Value> => sql.lit(value)
