import { sql } from 'kysely'
import type { SystemDb } from '#kernel/tables.ts'
import { compiled } from './compiled.ts'
import { engineOf } from './dialect.ts'

export interface ClaimedJob {
  id: string
  tenant_id: string | null
  kind: string
  lane: string
  payload: Record<string, unknown>
  attempts: number
  max_attempts: number
  fence: number
}

export interface ClaimRequest {
  now: string
  leaseUntil: string
  /**
   * Returns how many jobs each lane may start, given the lanes that have due jobs. The order of the result is the order
   * of claiming.
   */
  share(due: readonly string[]): ReadonlyMap<string, number>
}

/**
 * Lanes that have due jobs. It skips from lane to lane in the index (a loose index scan), so its cost depends on the
 * number of lanes, not of queued jobs.
 */
const dueLanes = compiled((db, { now }: { now: string }) => ({
  compile: () =>
    sql<{ lane: string }>`
      with recursive lanes(lane) as (
        select (select lane from job where state = 'queued' order by lane limit 1)
        union all
        select (select lane from job where state = 'queued' and lane > lanes.lane order by lane limit 1)
        from lanes where lanes.lane is not null
      )
      select lane from lanes
      where lane is not null
        and exists (select 1 from job where state = 'queued' and job.lane = lanes.lane and run_at <= ${now})
    `.compile(db),
}))

/** Claims the oldest due jobs of one lane. */
const claimInLane = compiled(
  (db, { now, leaseUntil, lane, places }: { now: string; leaseUntil: string; lane: string; places: number }) => {
    const due = db
      .selectFrom('job')
      .select('id')
      .where('state', '=', 'queued')
      .where('lane', '=', lane)
      .where('run_at', '<=', now)
      .orderBy('run_at')
      .orderBy('id')
      .limit(places)
    return db
      .updateTable('job')
      .set((eb) => ({
        state: 'running' as const,
        lease_until: leaseUntil,
        attempts: eb('attempts', '+', 1),
        fence: eb('fence', '+', 1),
      }))
      .where('id', 'in', engineOf(db) === 'postgres' ? due.forUpdate().skipLocked() : due)
      .returning(['id', 'tenant_id', 'kind', 'lane', 'payload', 'attempts', 'max_attempts', 'fence'])
  },
)

/**
 * Claims due jobs: the oldest of each lane, as many as `share` allows. Call it inside a transaction. Each claimed job
 * gets a new fencing number.
 */
export const claimJobs = async (db: SystemDb, { now, leaseUntil, share }: ClaimRequest): Promise<ClaimedJob[]> => {
  const claimed: ClaimedJob[] = []
  const lanes = await dueLanes(db, { now })
  for (const [lane, places] of share(lanes.map((due) => due.lane))) {
    claimed.push(...(await claimInLane(db, { now, leaseUntil, lane, places })))
  }
  return claimed
}

/** Deletes at most `limit` jobs that finished before `before`; dead jobs stay. @returns how many it deleted */
export const deleteFinished = async (db: SystemDb, before: string, limit: number): Promise<number> => {
  const old = db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'done')
    .where('finished_at', '<', before)
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('job').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
