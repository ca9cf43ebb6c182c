import { sql } from 'kysely'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { compiled } from './queries/compiled.ts'
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
  /** Where the claim before this one ended: the lanes behind it come first. */
  after: string
  /** Lanes that have places of their own, and are looked at in any case. */
  own?: readonly string[]
  /** Every other place is taken: only those lanes are looked at. */
  ownOnly?: boolean
  /**
   * Returns how many jobs each lane may start, given lanes that have due jobs. The order of the result is the order of
   * claiming.
   */
  share(due: readonly string[]): ReadonlyMap<string, number>
  /**
   * Set where other processes take jobs from the same database: how many jobs of a lane may run in all of them together.
   * Postgres alone; SQLite has one process.
   */
  mostInAll?: (lane: string) => number
}

export interface Claim {
  jobs: ClaimedJob[]
  /** The `after` of the next claim. */
  last: string
  /** Due jobs may be left: those of a lane whose places are full, or that got none. */
  isMoreDue: boolean
}

/** Before all lanes. */
export const FIRST_LANE = ''

/**
 * One claim looks at no more lanes with due jobs, so that its cost does not grow when thousands of institutes have work.
 * They are more than there are workers, so that there are always some of which no job runs.
 */
const LANES_AT_ONCE = 128

/** When none of those lanes gets a place, one claim looks at the lanes behind them, so many times at most. */
const LOOKS_AT_MOST = 8

/**
 * The lanes behind `after` that have due jobs, in their order. It skips from lane to lane in the index (a loose index
 * scan), so its cost depends on the number of lanes, not of queued jobs. The subquery, unlike `exists`, leaves Postgres
 * no join that would look at all jobs and return the lanes in another order.
 */
const dueLanesBehind = compiled((db, { now, after }: { now: string; after: string }) => ({
  compile: () =>
    sql<{ lane: string }>`
      with recursive lanes(lane) as (
        select (select lane from job where state = 'queued' and lane > ${after} order by lane limit 1)
        union all
        select (select lane from job where state = 'queued' and lane > lanes.lane order by lane limit 1)
        from lanes where lanes.lane is not null
      )
      select lane from lanes
      where lane is not null
        and (
          select 1 from job where state = 'queued' and job.lane = lanes.lane and run_at <= ${now} limit 1
        ) is not null
      limit ${sql.lit(LANES_AT_ONCE)}
    `.compile(db),
}))

/** Lanes that have due jobs: first those behind `after`, then those from the beginning. */
const dueLanes = async (db: SystemDb, { now, after }: { now: string; after: string }): Promise<string[]> => {
  const behind = await dueLanesBehind(db, { now, after })
  const wraps = after !== FIRST_LANE && behind.length < LANES_AT_ONCE
  const begun = wraps ? await dueLanesBehind(db, { now, after: FIRST_LANE }) : []
  return [...new Set([...behind, ...begun].map(({ lane }) => lane))].slice(0, LANES_AT_ONCE)
}

type Shares = ReturnType<ClaimRequest['share']>

interface Lease {
  now: string
  leaseUntil: string
}

/** Marks jobs as running. */
const running = (db: SystemDb, leaseUntil: string) =>
  db
    .updateTable('job')
    .set((eb) => ({
      state: 'running' as const,
      lease_until: leaseUntil,
      attempts: eb('attempts', '+', 1),
      fence: eb('fence', '+', 1),
    }))
    .returning(['id', 'tenant_id', 'kind', 'lane', 'payload', 'attempts', 'max_attempts', 'fence'])
    .returning((eb) =>
      eb.selectFrom('job_pause').select('paused_at').whereRef('job_pause.kind', '=', 'job.kind').as('paused_at'),
    )

type Marked = Awaited<ReturnType<typeof claimInLane>>

/** Claims the oldest due jobs of one lane. */
const claimInLane = compiled((db, { now, leaseUntil, lane, places }: Lease & { lane: string; places: number }) => {
  const due = db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'queued')
    .where('lane', '=', lane)
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .orderBy('id')
    .limit(places)
  return running(db, leaseUntil).where('id', 'in', due)
})

/**
 * Claims the oldest due jobs of several lanes in one statement, without those that another process claims just now. Each
 * lane is read in its own index range. As an array, the jobs are found once, whatever the plan of the update.
 * @param shares a list as JSON
 */
const claimInLanes = compiled((db, { now, leaseUntil, shares }: Lease & { shares: string }) => {
  const due = sql<string[]>`array(
    select due.id
    from json_to_recordset(${shares}::json) as share(lane text, places integer)
    cross join lateral (
      select id from job
      where state = 'queued' and job.lane = share.lane and run_at <= ${now}
      order by run_at, id
      limit share.places
      for update skip locked
    ) as due
  )`
  return running(db, leaseUntil).where(sql<boolean>`id = any(${due})`)
})

/** Claims the oldest due jobs of each lane. SQLite is a part of this process: there a statement a lane costs least. */
const claimShares = async (db: SystemDb, shares: Shares, lease: Lease): Promise<Marked> => {
  if (shares.size === 0) return []
  if (engineOf(db) === 'postgres') {
    const all = [...shares].map(([lane, places]) => ({ lane, places }))
    return claimInLanes(db, { ...lease, shares: JSON.stringify(all) })
  }
  const claimed = []
  for (const [lane, places] of shares) claimed.push(...(await claimInLane(db, { ...lease, lane, places })))
  return claimed
}

interface Shared {
  lanes: readonly string[]
  shares: Shares
  last: string
}

/** Shares the places among lanes that have due jobs. An institute whose lanes get no place hides no other institute's lanes. */
const sharePlaces = async (
  db: SystemDb,
  { now, after, own = [], ownOnly = false, share }: ClaimRequest,
): Promise<Shared> => {
  if (ownOnly) return { lanes: own, shares: share(own), last: after }
  for (let [from, look] = [after, 1]; ; look += 1) {
    const lanes = await dueLanes(db, { now, after: from })
    if (lanes.length < LANES_AT_ONCE) return { lanes, shares: share(lanes), last: FIRST_LANE }
    const shares = share([...new Set([...lanes, ...own])])
    // Not all lanes could be seen. Those of which nothing ran lately get their share first, in the order of the lanes:
    // none of them is passed over.
    const served = lanes.findLast((lane) => shares.has(lane) && !own.includes(lane))
    from = served ?? (lanes.at(-1) as string)
    if (served !== undefined || look === LOOKS_AT_MOST) return { lanes, shares, last: from }
  }
}

/** Lays claimed jobs aside whose kind is paused. They have not been tried. */
const layAside = async (db: SystemDb, jobs: readonly ClaimedJob[]): Promise<void> => {
  if (jobs.length === 0) return
  await db
    .updateTable('job')
    .set((eb) => ({ state: 'paused', lease_until: null, attempts: eb('attempts', '-', 1) }))
    .where(
      'id',
      'in',
      jobs.map(({ id }) => id),
    )
    .execute()
}

/**
 * Locks the lanes for this claim: what runs in them is counted by one process at a time. It does not wait for a lane that
 * another process claims from just now. @param lanes a list as JSON @returns those that were free
 */
const lockLanes = compiled((db, { lanes }: { lanes: string }) => ({
  compile: () =>
    sql<{ lane: string }>`
      select lane from json_array_elements_text(${lanes}::json) as lane
      where pg_try_advisory_xact_lock(hashtextextended(lane, 0))
    `.compile(db),
}))

/** How many jobs run in each of these lanes, in all processes. @param lanes a list as JSON */
const countRunning = compiled((db, { lanes }: { lanes: string }) => ({
  compile: () =>
    sql<{ lane: string; jobs: number }>`
      select lane, count(*) as jobs from job
      where state = 'running' and lease_until is not null
        and lane in (select json_array_elements_text(${lanes}::json))
      group by lane
    `.compile(db),
}))

/** Leaves of each lane's share what may still run in all processes together. */
const withinAll = async (
  db: SystemDb,
  shares: Shares,
  mostInAll: NonNullable<ClaimRequest['mostInAll']>,
): Promise<Shares> => {
  if (shares.size === 0) return shares
  const free = new Set((await lockLanes(db, { lanes: JSON.stringify([...shares.keys()]) })).map(({ lane }) => lane))
  const counted = await countRunning(db, { lanes: JSON.stringify([...free]) })
  const jobsIn = new Map(counted.map(({ lane, jobs }) => [lane, jobs]))
  const left = [...shares].flatMap(([lane, places]): [string, number][] => {
    const most = free.has(lane) ? Math.min(places, mostInAll(lane) - (jobsIn.get(lane) ?? 0)) : 0
    return most > 0 ? [[lane, most]] : []
  })
  return new Map(left)
}

/**
 * Claims due jobs: the oldest of each lane, as many as `share` allows. Call it inside a transaction. Each claimed job
 * gets a new fencing number. Jobs of a paused kind are laid aside on the way, so that later claims do not meet them.
 */
export const claimJobs = async (db: SystemDb, request: ClaimRequest): Promise<Claim> => {
  const { now, leaseUntil, mostInAll } = request
  const jobs: ClaimedJob[] = []
  const { lanes, shares: dealt, last } = await sharePlaces(db, request)
  const shares = mostInAll && engineOf(db) === 'postgres' ? await withinAll(db, dealt, mostInAll) : dealt
  const claimed = await claimShares(db, shares, { now, leaseUntil })
  await layAside(
    db,
    claimed.filter(({ paused_at }) => paused_at !== null),
  )
  const inLane = Map.groupBy(claimed, ({ lane }) => lane)
  let isMoreDue = lanes.length > shares.size
  for (const [lane, places] of shares) {
    const ofLane = inLane.get(lane) ?? []
    isMoreDue ||= ofLane.length === places
    const toRun = ofLane.filter(({ paused_at }) => paused_at === null)
    // Postgres returns them in any order.
    jobs.push(...toRun.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
  }
  return { jobs, isMoreDue, last }
}

type Fenced = Pick<ClaimedJob, 'id' | 'fence'>

const endOne = compiled((db, { id, fence, now }: Fenced & { now: string }) =>
  db
    .updateTable('job')
    .set({ state: 'done', lease_until: null, finished_at: now, last_error: null })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .returning('id'),
)

/** Locks the jobs in the order of their ids, as who renews their leases does. @param jobs a list as JSON */
const endSeveral = compiled((db, { jobs, now }: { jobs: string; now: string }) => ({
  compile: () =>
    sql<{ id: string }>`
      update job set state = 'done', lease_until = null, finished_at = ${now}, last_error = null
      where id = any(array(
        select job.id
        from json_to_recordset(${jobs}::json) as ended(id uuid, fence integer)
        inner join job on job.id = ended.id and job.fence = ended.fence and job.state = 'running'
        order by job.id
        for update of job
      ))
      returning id
    `.compile(db),
}))

/** Ends jobs that are done. @returns the ids of those that no other worker has claimed meanwhile */
export const endJobs = async (db: SystemDb, jobs: readonly Fenced[], now: string): Promise<ReadonlySet<string>> => {
  const ended = []
  if (jobs.length > 1 && engineOf(db) === 'postgres') {
    const list = jobs.map(({ id, fence }) => ({ id, fence }))
    ended.push(...(await endSeveral(db, { jobs: JSON.stringify(list), now })))
  } else {
    for (const { id, fence } of jobs) ended.push(...(await endOne(db, { id, fence, now })))
  }
  return new Set(ended.map(({ id }) => id))
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
