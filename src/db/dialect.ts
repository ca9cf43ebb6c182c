import { PostgresAdapter } from 'kysely'
import { StorageProblem, type Failure } from '#kernel/errors.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { brokenForeignKey, brokenUnique, type DriverError } from './broken-rules.ts'
import type { Engine } from './database.ts'

/** The one place, with its neighbours in this folder, that knows in what the two engines differ. */

type Handle = ScopedDb | SystemDb

/** The engine behind a handle: each is a Kysely underneath, whatever its type shows of it. */
export const engineOf = (db: Handle): Engine =>
  (db as SystemDb).getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

/**
 * For `.catch(…)` after a write: turns broken rules of the database into the refusals that they stand for.
 * `unique` maps `table(column,…)` (see brokenUnique); `foreignKey` is for a delete that other records forbid.
 * @throws the refusal, or the error itself.
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

/** The storage itself refuses: full disk, read-only folder, database out of reach. Nothing was changed. */
export const isStorageFailure = (error: unknown): boolean => {
  const { code = '', message = '' } = error as DriverError
  return (
    error instanceof StorageProblem ||
    // What the Postgres driver itself says of a connection that was lost has no code.
    /^(Connection terminated|Client (has encountered a connection error|was closed))/.test(message) ||
    /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|CORRUPT)/.test(code) ||
    /^(08|53|57P0|58)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(code)
  )
}

/*
 * Who locks what, on Postgres; on SQLite the single writer has everything, and the same code runs without.
 *
 * A change reads what it decides by under a lock, and decides after that: what it read before may be gone. It then finds
 * a record gone before it names it (404), and a record named before it deletes it (409), and never hears of either from a
 * foreign key. There are three row locks, by their names in SQL:
 *
 * - `forKeyShare`: on a row that this change is about to name in another (the branch of a new student, the teacher of a
 *   session). It may be changed meanwhile, not deleted. Many hold it at once.
 * - `forNoKeyUpdate`: on a row that this change changes, or by whose fields it decides. One holds it at a time; others go
 *   on to name the row.
 * - `forUpdate`: on a row that this change deletes. Nobody changes it and nobody comes to name it any more. For nothing else:
 *   it makes all wait who name the row, the whole institute in the case of a branch.
 *
 * `keepReached` and `keepRow`, `lockRow` and `lockToDelete` of src/runtime/records.ts take them for one record.
 *
 * What a rule spans stands under one row, its root, and every change that the rule concerns begins with that: the
 * institute's for settings, its currency and which branch is the default one; the owner's role for who is the last owner;
 * a group for its schedule, capacity and sessions; a student for status, enrollments and links to guardians; a session for
 * its attendance; an invoice for lines and payments; a membership for roles and invitation; a webhook endpoint for its
 * deliveries. A delete that takes other rows along locks those too before it looks at them.
 *
 * Locks are taken in one order, so that no two changes wait for each other: roots before what is under them, and of those
 * tenant, role, membership, invitation, student, lead, guardian, enrollment; group, session, attendance; student, group, invoice.
 * Several rows of one table: by id. What is only kept in place may come at any time before it is named: that waits for a
 * delete alone, and no delete waits for who keeps something else in place. Counters come last (`nextNumber`).
 *
 * test/api/pairs.test.ts holds every change to this, and test/api/races.test.ts those that examples do not lead to.
 */

/** For a row that this change deletes: nobody else changes it, nor adds one that points at it. */
export const forUpdate = <Q extends { forUpdate(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forUpdate() : query

/** For a row that this change changes or decides by: others may go on to add rows that point at it. */
export const forNoKeyUpdate = <Q extends { forNoKeyUpdate(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forNoKeyUpdate() : query

/** For rows that this change is about to name: they may be changed, but not deleted, until it ends. */
export const forKeyShare = <Q extends { forKeyShare(): Q }>(db: Handle, query: Q): Q =>
  engineOf(db) === 'postgres' ? query.forKeyShare() : query
