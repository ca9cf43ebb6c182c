import type { InferOutput } from 'valibot'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Page } from '#kernel/values/schema.ts'
import { Forbidden, found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate } from '#kernel/time/zone.ts'
import { listOf, type ListContext } from '#runtime/records/lists.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  isEmpty,
  lockReferenced,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records/records.ts'
import { alignClosure } from './align.ts'
import { Closure, type ClosureChanges, type ClosureQuery, type NewClosure, type NewClosures } from './schemas.ts'

const LONGEST_DAYS = 366

interface ClosureRow {
  id: string
  from_date: string
  to_date: string
  cancelled_sessions: number
}

const toClosure = shows(Closure, {
  from: (row: ClosureRow) => row.from_date,
  to: (row: ClosureRow) => row.to_date,
  cancelledSessions: (row: ClosureRow) => row.cancelled_sessions,
})

/** Adds how many sessions each of them cancelled, of the groups that the caller reaches. */
const withSessions = async <Row extends { id: string }>(
  db: ScopedDb,
  rows: readonly Row[],
): Promise<(Row & { cancelled_sessions: number })[]> => {
  if (rows.length === 0) return []
  const counts = await db
    .selectFrom('session')
    .select(({ fn }) => ['closure_id', fn.countAll<number>().as('count')])
    .where(
      'closure_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('closure_id')
    .execute()
  const countOf = new Map(counts.map(({ closure_id: id, count }) => [id, count]))
  return rows.map((row) => ({ ...row, cancelled_sessions: countOf.get(row.id) ?? 0 }))
}

const closures = listOf({
  filters: {
    from: (eb, from: string) => eb('closure.to_date', '>=', from),
    begunSince: (eb, day: string) => eb('closure.from_date', '>=', day),
    to: (eb, to: string) => eb('closure.from_date', '<=', to),
    branchId: (eb, branchId: string) =>
      eb.or([eb('closure.branch_id', 'is', null), eb('closure.branch_id', '=', branchId)]),
  },
  from: (db) => db.selectFrom('closure').selectAll('closure'),
  order: {
    columns: ['closure.from_date', 'closure.id'],
    direction: 'asc',
    position: (row) => [row.from_date, row.id],
  },
  show: (row) => row,
})

const isReached = async (db: ScopedDb, branchId: string): Promise<boolean> =>
  (await db.selectFrom('branch').select('id').where('id', '=', branchId).executeTakeFirst()) !== undefined

/** First closed first; from today on, unless the query says from when. */
export const listClosures = async (
  context: ListContext<ScopedDb> & { tenant: TenantInfo; now: string; query: InferOutput<typeof ClosureQuery> },
): Promise<Page<Closure>> => {
  const { now, tenant, query } = context
  const { from = localDate(now, tenant.timezone), branchId } = query
  // Of a branch out of reach it finds nothing, not even the days on which all are closed.
  if (branchId !== undefined && !(await isReached(context.db, branchId))) return { data: [], nextCursor: null }
  // None is longer, so no other has a day in that time: the index finds these.
  const begunSince = addDays(from, -LONGEST_DAYS)
  const { data, nextCursor } = await closures({ ...context, query: { ...query, from, begunSince } })
  return { data: (await withSessions(context.db, data)).map(toClosure), nextCursor }
}

export const closureRecord = recordOf('closure', {
  read: async (db: ScopedDb, id: string) => {
    const row = found(await db.selectFrom('closure').selectAll().where('id', '=', id).executeTakeFirst())
    return (await withSessions(db, [row])).map(toClosure)[0] as Closure
  },
})

/** @throws VALIDATION_ERROR */
const checkDays = (from: string, to: string, at: (string | number)[] = []): void => {
  if (to < from) throw invalid([...at, 'to'], 'Must not be before from.')
  if (to > addDays(from, LONGEST_DAYS)) throw invalid([...at, 'to'], `Must be at most ${LONGEST_DAYS} days after from.`)
}

/**
 * Checks that the caller may close there: a branch is for who writes the groups of all of it, the whole institute for who
 * writes those of all branches. @throws NotFound for a branch out of reach, Forbidden
 */
const checkPlace = async (tx: Tx, caller: Caller, branchId: string | null): Promise<void> => {
  if (branchId !== null) return lockReferenced(tx, 'branch', branchId)
  if (caller.grants.reach('groups.write') === 'all') return
  throw Forbidden({ reason: 'whole_institute_needed', permissions: ['groups.write'] })
}

/**
 * Closes days, and cancels the sessions within them: people are told once of all. @throws NotFound for the branch,
 * Forbidden, VALIDATION_ERROR
 */
export const createClosures = async (
  tx: Tx,
  caller: Caller,
  { closures: all, isBilled = true, branchId = null }: NewClosures,
): Promise<Closure[]> => {
  for (const [at, { from, to }] of all.entries()) checkDays(from, to, ['closures', at])
  await checkPlace(tx, caller, branchId)
  const ids: string[] = []
  for (const { name, from, to } of all) {
    ids.push((await createRecord(tx, closureRecord, { name, branchId, isBilled, fromDate: from, toDate: to })).id)
  }
  const told = all.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  await alignClosure(tx, { told, branchId, isLifted: false, days: told })
  const made: Closure[] = []
  for (const id of ids) made.push(await closureRecord.read(tx.db, id))
  return made
}

/** Closes some days. @throws as createClosures */
export const createClosure = async (tx: Tx, caller: Caller, { name, from, to, ...place }: NewClosure) => {
  checkDays(from, to)
  const [closure] = await createClosures(tx, caller, { ...place, closures: [{ name, from, to }] })
  return closure as Closure
}

/**
 * Changes closed days. Sessions that are within them no more come back, and those that are now are cancelled.
 * @throws NotFound, Forbidden, VersionConflict, VALIDATION_ERROR
 */
export const changeClosure = async (
  tx: Tx,
  caller: Caller,
  { id, version, from, to, ...body }: ClosureChanges & { id: string },
) => {
  const row = await lockRow(tx, closureRecord, id, version)
  await checkPlace(tx, caller, row.branch_id)
  if (body.branchId !== undefined && body.branchId !== row.branch_id) await checkPlace(tx, caller, body.branchId)
  const days = { from: from ?? row.from_date, to: to ?? row.to_date }
  checkDays(days.from, days.to)
  const deciding = changesOf(row, { fromDate: from, toDate: to, branchId: body.branchId, name: body.name })
  const changed = await changeRecord(tx, closureRecord, row, { ...body, fromDate: from, toDate: to })
  if (isEmpty(deciding)) return changed
  const { name, branchId } = changed
  await alignClosure(tx, {
    told: [{ name, ...days }],
    // One that moves to another branch concerns the former too.
    branchId: branchId === row.branch_id ? branchId : null,
    isLifted: false,
    days: [days, { from: row.from_date, to: row.to_date }],
  })
  return closureRecord.read(tx.db, id)
}

/** Opens the days again: what they cancelled comes back. @throws NotFound, Forbidden */
export const deleteClosure = async (tx: Tx, caller: Caller, id: string) => {
  const row = await lockToDelete(tx, closureRecord, id)
  await checkPlace(tx, caller, row.branch_id)
  const done = await deleteRecord(tx, closureRecord, row)
  const days = { from: row.from_date, to: row.to_date }
  await alignClosure(tx, { told: [{ name: row.name, ...days }], branchId: row.branch_id, isLifted: true, days: [days] })
  return done
}
