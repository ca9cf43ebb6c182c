import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Tables } from '#kernel/contract/tables.ts'
import { localInstant } from '#kernel/time/zone.ts'
import { findTenant, setZoneRules } from '#modules/tenants/index.ts'
import { ROWS_AT_ONCE } from './generation.ts'

/*
 * A session of the weekly times is a local date and time. When the institute's zone changes, or the rules of that zone, it
 * is moved to the instant that these mean now. What people moved stays.
 */

/** Sessions that a transaction reads, because others wait meanwhile. */
const SLICE = 100
/** So many are read in the request itself, so that a small institute has them at once. */
const AT_ONCE = 200

/** The edition of the zones' rules with which this process computes. */
export const ZONE_RULES = process.versions.tz ?? 'unknown'

export const followZoneJob = declareJob(
  'sessions.follow-zone',
  v.object({
    tenantId: v.string(),
    /** The last session that was looked at. */
    after: v.nullable(v.string()),
    /** How many have been moved so far. */
    moved: v.number(),
    /** The edition of the rules because of which it runs; null: the institute has another zone, which is audited there. */
    zoneRules: v.nullable(v.string()),
  }),
)
type FollowZone = v.InferOutput<typeof followZoneJob.payload>

const nextSessions = compiledInTenant((whole, { after }: { after: string }) =>
  whole
    .selectFrom('session')
    .select(['id', 'scheduled_start', 'scheduled_end', 'occurrence_date', 'occurrence_slot', 'is_moved'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(SLICE),
)

interface Move {
  id: string
  former: string
  start: string
  end: string
}

interface Moves {
  now: string
  /** The value of each cell, under the key `<field> <row>`. */
  [cell: string]: string
}

/** Moves that many sessions; skips one that was moved since it was read. */
const moves = ROWS_AT_ONCE.map((count) => ({
  count,
  move: compiledInTenant((whole, values: Moves) => {
    const rows = Array.from({ length: count }, (_, row) => row)
    const cell = (field: keyof Move, row: number): string => values[`${field} ${row}`] as string
    const perSession = (eb: ExpressionBuilder<Tables, 'session'>, field: 'former' | 'start' | 'end') => {
      let cases = eb.case().when('id', '=', cell('id', 0)).then(cell(field, 0))
      for (const row of rows.slice(1)) cases = cases.when('id', '=', cell('id', row)).then(cell(field, row))
      return cases.else(eb.ref(field === 'end' ? 'scheduled_end' : 'scheduled_start')).end()
    }
    return whole
      .updateTable('session')
      .set((eb) => ({
        scheduled_start: perSession(eb, 'start'),
        scheduled_end: perSession(eb, 'end'),
        updated_at: values.now,
      }))
      .where(
        'id',
        'in',
        rows.map((row) => cell('id', row)),
      )
      .where((eb) => eb('scheduled_start', '=', perSession(eb, 'former')))
      .where('is_moved', '=', false)
      .returning('id')
  }),
}))

/** @returns how many were moved */
const moveSessions = async ({ whole, now }: Pick<Tx, 'whole' | 'now'>, all: readonly Move[]): Promise<number> => {
  let moved = 0
  let done = 0
  for (const { count, move } of moves) {
    for (; all.length - done >= count; done += count) {
      const cells = all
        .slice(done, done + count)
        .flatMap((one, row) => Object.entries(one).map(([field, value]) => [`${field} ${row}`, value]))
      moved += (await move(whole, { ...Object.fromEntries(cells), now })).length
    }
  }
  return moved
}

interface OccurrenceKey {
  occurrence_date: string | null
  occurrence_slot: string | null
}

const startOf = (session: OccurrenceKey, zone: string): string | null =>
  session.occurrence_date === null
    ? null
    : localInstant(session.occurrence_date, session.occurrence_slot as string, zone)

/** Less than every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Moves those of the next sessions that do not stand where their weekly times put them. */
const followSlice = async (
  { whole, tenant, now }: Pick<Tx, 'whole' | 'tenant' | 'now'>,
  after: string | null,
): Promise<{ moved: number; next: string | null }> => {
  const sessions = await nextSessions(whole, { after: after ?? FIRST })
  const misplaced = sessions.flatMap((session): Move[] => {
    const { id, scheduled_start: former } = session
    const start = session.is_moved ? null : startOf(session, tenant.timezone)
    if (start === null || start === former) return []
    const length = Date.parse(session.scheduled_end) - Date.parse(former)
    return [{ id, former, start, end: new Date(Date.parse(start) + length).toISOString() }]
  })
  const moved = await moveSessions({ whole, now }, misplaced)
  return { moved, next: sessions.length === SLICE ? (sessions.at(-1)?.id ?? null) : null }
}

/** Many sessions begin at the same time: they are counted together. */
const countMisplaced = async (tx: Tx, zone: string): Promise<number> => {
  const places = await tx.whole
    .selectFrom('session')
    .select(['occurrence_date', 'occurrence_slot', 'scheduled_start'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('occurrence_date', 'is not', null)
    .where('is_moved', '=', false)
    .groupBy(['occurrence_date', 'occurrence_slot', 'scheduled_start'])
    .execute()
  return places.reduce((sum, place) => sum + (startOf(place, zone) === place.scheduled_start ? 0 : place.count), 0)
}

/**
 * Moves the sessions of an institute to its new zone: the first ones at once, the others in a job.
 * @returns how many are moved, in the end
 */
export const followZone = async (tx: Tx, zone: string): Promise<number> => {
  const misplaced = await countMisplaced(tx, zone)
  if (misplaced === 0) return 0
  const inZone = { whole: tx.whole, now: tx.now, tenant: { ...tx.tenant, timezone: zone } }
  let next: string | null = null
  let moved = 0
  for (let read = 0; read < AT_ONCE; read += SLICE) {
    const slice: Awaited<ReturnType<typeof followSlice>> = await followSlice(inZone, next)
    moved += slice.moved
    next = slice.next
    if (next === null || moved === misplaced) return misplaced
  }
  tx.enqueue(followZoneJob, { tenantId: tx.tenant.id, after: next, moved, zoneRules: null })
  return misplaced
}

/** Looks at the next sessions. Each slice is kept with the job that goes on, so that none is left out. */
export const followZoneOn = async ({ payload, finish }: JobContext<FollowZone>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, payload.tenantId)
    if (!tenant) return
    const tx = system.inTenant(tenant)
    const slice = await followSlice(tx, payload.after)
    const moved = payload.moved + slice.moved
    if (slice.next !== null) {
      tx.enqueue(followZoneJob, { ...payload, after: slice.next, moved })
      return
    }
    const { zoneRules } = payload
    if (zoneRules === null) return
    await setZoneRules(tx, zoneRules)
    if (moved === 0) return
    tx.audit({
      action: 'sessions.follow-zone',
      entityType: 'settings',
      entityId: tenant.id,
      metadata: { movedSessions: moved, zoneRules },
    })
  })
}

/** After the zones have other rules than before, the sessions of every institute are looked at. */
export const followNewRules = async ({ change }: Pick<JobContext, 'change'>): Promise<void> => {
  await change(async (tx) => {
    const behind = await tx.everywhere
      .selectFrom('tenant')
      .select('id')
      .where((eb) => eb.or([eb('zone_rules', 'is', null), eb('zone_rules', '!=', ZONE_RULES)]))
      .execute()
    for (const { id: tenantId } of behind) {
      const uniqueKey = `sessions.follow-zone:${tenantId}:${ZONE_RULES}`
      tx.enqueue(followZoneJob, { tenantId, after: null, moved: 0, zoneRules: ZONE_RULES }, { uniqueKey })
    }
  })
}
