import * as v from 'valibot'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { findTenant } from '#modules/tenants/index.ts'

/*
 * An enrollment from or until a day that somebody named begins or ends by the clocks of the institute. When its zone is
 * set right, the day stays: its beginning and its end are other instants then. An enrollment that began or ended at some
 * other moment keeps it.
 */

/** Enrollments that a transaction reads, because others wait meanwhile. */
const SLICE = 250
/** So many are read in the request itself, so that a small institute has them at once. */
const AT_ONCE = 500

export const keepDaysJob = declareJob(
  'groups.keep-days',
  v.object({
    tenantId: v.string(),
    /** The zone by which the days began and ended. */
    former: v.string(),
    /** The last enrollment that was looked at. */
    after: v.string(),
  }),
)
type KeepDays = v.InferOutput<typeof keepDaysJob.payload>

const nextEnrollments = compiledInTenant((whole, { after }: { after: string }) =>
  whole
    .selectFrom('enrollment')
    .select(['id', 'enrolled_at', 'dropped_at', 'completed_at', 'ended_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(SLICE),
)

const INSTANTS = ['enrolled_at', 'dropped_at', 'completed_at', 'ended_at'] as const
type Instants = Record<(typeof INSTANTS)[number], string | null>

const lastInstantOf = (day: string, zone: string): string =>
  new Date(Date.parse(startOfLocalDay(addDays(day, 1), zone)) - 1).toISOString()

/** The same beginning or end of a day in the other zone; an instant that is none of them stays. */
const mover = (former: string, zone: string): ((instant: string | null) => string | null) => {
  const known = new Map<string, string>()
  const moved = (instant: string): string => {
    const day = localDate(instant, former)
    if (instant === startOfLocalDay(day, former)) return startOfLocalDay(day, zone)
    return instant === lastInstantOf(day, former) ? lastInstantOf(day, zone) : instant
  }
  return (instant) => {
    if (instant === null) return null
    const found = known.get(instant) ?? moved(instant)
    known.set(instant, found)
    return found
  }
}

/** @returns the last enrollment that was looked at; null: there are no more */
const keepDaysIn = async (
  { whole, now }: Pick<Tx, 'whole' | 'now'>,
  { former, zone, after }: { former: string; zone: string; after: string },
): Promise<string | null> => {
  const rows = await nextEnrollments(whole, { after })
  const move = mover(former, zone)
  for (const row of rows) {
    const moved = Object.fromEntries(INSTANTS.map((column) => [column, move(row[column])])) as Instants
    const changed = INSTANTS.filter((column) => moved[column] !== row[column])
    if (changed.length === 0) continue
    let update = whole.updateTable('enrollment').set({
      ...(Object.fromEntries(changed.map((column) => [column, moved[column]])) as { enrolled_at: string }),
      updated_at: now,
    })
    // Somebody who ends it at this moment has said it by the new zone.
    for (const column of changed) update = update.where(column, '=', row[column])
    await update.where('id', '=', row.id).execute()
  }
  return rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null
}

/** Less than every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Keeps the days of the first enrollments at once, and those of the others in a job. */
export const keepDays = async (tx: Tx, zone: string): Promise<void> => {
  const former = tx.tenant.timezone
  let after: string | null = FIRST
  for (let read = 0; read < AT_ONCE && after !== null; read += SLICE) {
    after = await keepDaysIn(tx, { former, zone, after })
  }
  if (after !== null) tx.enqueue(keepDaysJob, { tenantId: tx.tenant.id, former, after })
}

/** Looks at the next enrollments. Each slice is kept with the job that goes on, so that none is left out. */
export const keepDaysOn = async ({ payload, finish }: JobContext<KeepDays>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, payload.tenantId)
    if (!tenant) return
    const tx = system.inTenant(tenant)
    // The zone of this moment: it may have been set again, and what is moved already follows by another job.
    const after = await keepDaysIn(tx, { ...payload, zone: tenant.timezone })
    if (after !== null) tx.enqueue(keepDaysJob, { ...payload, after })
  })
}
