import { invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { found } from '#kernel/values/errors.ts'
import { addDays } from '#kernel/time/zone.ts'
import { listOf } from '#runtime/records/lists.ts'
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
import { Closure, type ClosureChanges, type NewClosure } from './schemas.ts'

const LONGEST_DAYS = 366

const shown = (db: ScopedDb) =>
  db
    .selectFrom('closure')
    .selectAll('closure')
    .select((eb) =>
      eb
        .selectFrom('session')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('session.closure_id', '=', 'closure.id')
        .as('cancelled_sessions'),
    )

interface Dates {
  from_date: string
  to_date: string
}

const toClosure = shows(Closure, {
  from: (row: Dates) => row.from_date,
  to: (row: Dates) => row.to_date,
  cancelledSessions: (row: { cancelled_sessions: number | null }) => row.cancelled_sessions ?? 0,
})

/** First closed first. */
export const listClosures = listOf({
  filters: {
    from: (eb, from: string) => eb('closure.to_date', '>=', from),
    to: (eb, to: string) => eb('closure.from_date', '<=', to),
    branchId: (eb, branchId: string) =>
      eb.or([eb('closure.branch_id', 'is', null), eb('closure.branch_id', '=', branchId)]),
  },
  from: shown,
  order: {
    columns: ['closure.from_date', 'closure.id'],
    direction: 'asc',
    position: (row) => [row.from_date, row.id],
  },
  show: toClosure,
})

export const closureRecord = recordOf('closure', {
  read: async (db: ScopedDb, id: string) =>
    toClosure(found(await shown(db).where('closure.id', '=', id).executeTakeFirst())),
})

/** @throws VALIDATION_ERROR */
const checkDays = (from: string, to: string): void => {
  if (to < from) throw invalid(['to'], 'Must not be before from.')
  if (to > addDays(from, LONGEST_DAYS)) throw invalid(['to'], `Must be at most ${LONGEST_DAYS} days after from.`)
}

/** Closes days, and cancels the sessions within them. @throws NotFound for the branch, VALIDATION_ERROR */
export const createClosure = async (
  tx: Tx,
  { from, to, isBilled = true, branchId = null, name }: NewClosure,
): Promise<Closure> => {
  checkDays(from, to)
  if (branchId !== null) await lockReferenced(tx, 'branch', branchId)
  const { id } = await createRecord(tx, closureRecord, { name, branchId, isBilled, fromDate: from, toDate: to })
  await alignClosure(tx, { name, from, to, branchId, isLifted: false, days: { from, to } })
  return closureRecord.read(tx.db, id)
}

/**
 * Changes closed days. Sessions that are within them no more come back, and those that are now are cancelled.
 * @throws NotFound, VersionConflict, VALIDATION_ERROR
 */
export const changeClosure = async (tx: Tx, id: string, { version, from, to, ...body }: ClosureChanges) => {
  const row = await lockRow(tx, closureRecord, id, version)
  const days = { from: from ?? row.from_date, to: to ?? row.to_date }
  checkDays(days.from, days.to)
  if (body.branchId) await lockReferenced(tx, 'branch', body.branchId)
  const deciding = changesOf(row, { fromDate: from, toDate: to, branchId: body.branchId, name: body.name })
  const changed = await changeRecord(tx, closureRecord, row, { ...body, fromDate: from, toDate: to })
  if (isEmpty(deciding)) return changed
  const { name, branchId } = changed
  await alignClosure(tx, {
    name,
    ...days,
    // One that moves to another branch concerns the former too.
    branchId: branchId === row.branch_id ? branchId : null,
    isLifted: false,
    days: {
      from: days.from < row.from_date ? days.from : row.from_date,
      to: days.to > row.to_date ? days.to : row.to_date,
    },
  })
  return closureRecord.read(tx.db, id)
}

/** Opens the days again: what they cancelled comes back. @throws NotFound */
export const deleteClosure = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, closureRecord, id)
  const done = await deleteRecord(tx, closureRecord, row)
  const days = { from: row.from_date, to: row.to_date }
  await alignClosure(tx, { name: row.name, ...days, branchId: row.branch_id, isLifted: true, days })
  return done
}
