import { sql } from 'kysely'
import type { SystemDb } from '#kernel/tables.ts'
import type { Engine } from './database.ts'

export interface ClaimedJob {
  id: string
  tenant_id: string | null
  kind: string
  lane: string
  payload: Record<string, unknown>
  attempts: number
  max_attempts: number
  fence: number
  lease_until: string
}

export interface ClaimRequest {
  now: string
  leaseUntil: string
  /** How many at the most, over all lanes. */
  limit: number
  /** How many more a lane may have. */
  room(lane: string): number
}

/**
 * Lanes in which something is due. Jumps from lane to lane along the index, so it costs by lanes and not by the jobs
 * that wait in them.
 */
const dueLanes = async (db: SystemDb, now: string): Promise<string[]> => {
  const { rows } = await sql<{ lane: string }>`
    with recursive lanes(lane) as (
      select (select lane from job where state = 'queued' order by lane limit 1)
      union all
      select (select lane from job where state = 'queued' and lane > lanes.lane order by lane limit 1)
      from lanes where lanes.lane is not null
    )
    select lane from lanes
    where lane is not null
      and exists (select 1 from job where state = 'queued' and job.lane = lanes.lane and run_at <= ${now})
  `.execute(db)
  return rows.map((row) => row.lane)
}

/**
 * Takes due jobs, the oldest of each lane, lane by lane in turn, so that a lane with thousands waiting holds up none
 * beside it. Call it inside a transaction. Each claimed job carries a new fence.
 */
export const claimJobs = async (
  db: SystemDb,
  engine: Engine,
  { now, leaseUntil, limit, room }: ClaimRequest,
): Promise<ClaimedJob[]> => {
  const lanes = (await dueLanes(db, now)).filter((lane) => room(lane) > 0)
  const claimed: ClaimedJob[] = []
  const share = Math.max(1, Math.floor(limit / Math.max(1, lanes.length)))
  for (const lane of lanes) {
    const free = Math.min(room(lane), share, limit - claimed.length)
    if (free <= 0) break
    const due = db
      .selectFrom('job')
      .select('id')
      .where('state', '=', 'queued')
      .where('lane', '=', lane)
      .where('run_at', '<=', now)
      .orderBy('run_at')
      .orderBy('id')
      .limit(free)
    const rows = await db
      .updateTable('job')
      .set((eb) => ({
        state: 'running' as const,
        lease_until: leaseUntil,
        attempts: eb('attempts', '+', 1),
        fence: eb('fence', '+', 1),
      }))
      .where('id', 'in', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
      .returning(['id', 'tenant_id', 'kind', 'lane', 'payload', 'attempts', 'max_attempts', 'fence'])
      .execute()
    claimed.push(...rows.map((row) => ({ ...row, lease_until: leaseUntil })))
  }
  return claimed
}
