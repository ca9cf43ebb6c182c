import * as v from 'valibot'
import { compiledByKeyInTenant } from '#db/queries/compiled.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { alignGroup, horizonOf } from '#modules/sessions/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { lockRow } from '#runtime/records/records.ts'

/*
 * What closed days mean for the sessions of all groups: each group is aligned by itself, the first ones in the request,
 * the others in a job. A group with many lessons takes several slices. Each slice is kept with the job that goes on;
 * aligning a group twice changes nothing.
 */

/** Sessions after whose change others get their turn. */
const SESSIONS_AT_ONCE = 60
/** Looking at a group costs as much as the change of so many sessions. */
const LOOK = 5
const GROUPS_AT_ONCE = SESSIONS_AT_ONCE / LOOK

const range = { from: v.string(), to: v.string() }

const closedDays = {
  tenantId: v.string(),
  /** One message is made to a person of it. */
  noticeId: v.string(),
  /** What people are told of, in the order of the days. */
  told: v.array(v.object({ name: v.string(), ...range })),
  /** Whether the days are open again. */
  isLifted: v.boolean(),
}

export const alignClosureJob = declareJob(
  'closures.align',
  v.object({
    ...closedDays,
    /** Only its groups; null: those of all branches. */
    branchId: v.nullable(v.string()),
    /** The days whose sessions are looked at, in their order; no two overlap. */
    days: v.array(v.object(range)),
    /** Groups of which lessons to come are cancelled, or take place after all. */
    groupIds: v.array(v.string()),
    /** The last group that is done. */
    after: v.nullable(v.string()),
    /** The group of which some days are done, and the day from which on it goes on. Jobs of a former version have none. */
    part: v.optional(v.nullable(v.object({ groupId: v.string(), from: v.string() }))),
  }),
)
export type AlignClosure = v.InferOutput<typeof alignClosureJob.payload>

export const closureNoticeJob = declareJob(
  'closures.notice',
  v.object({
    ...closedDays,
    groupIds: v.array(v.string()),
    /** The last student who was told. */
    after: v.nullable(v.string()),
  }),
)
export type ClosureNotice = v.InferOutput<typeof closureNoticeJob.payload>

/** How many queries for the next groups are compiled: a closure has few ranges of days. */
const MAX_COMPILED = 50

const groupIdsOf = compiledByKeyInTenant<{ id: string }>(MAX_COMPILED)

/**
 * Groups that have sessions within some times, or may have some to come: one without weekly times may be getting its first
 * ones at this moment, in a change that does not know yet of the closed days, and holds the group until it ends.
 */
const groupsWithin = (
  whole: ScopedDb,
  { ranges, isOfBranch, isAfter }: { ranges: number; isOfBranch: boolean; isAfter: boolean },
  cells: Record<string, string>,
) => {
  let groups = whole
    .selectFrom('group')
    .select('group.id')
    .where((eb) =>
      eb.or([
        ...Array.from({ length: ranges }, (_, nth) =>
          eb.exists(
            eb
              .selectFrom('session')
              .select('session.id')
              .whereRef('session.group_id', '=', 'group.id')
              .where('session.scheduled_start', '>=', cells[`from ${nth}`] as string)
              .where('session.scheduled_start', '<', cells[`before ${nth}`] as string),
          ),
        ),
        eb('group.status', 'in', ['planned', 'active']),
      ]),
    )
  if (isOfBranch) groups = groups.where('group.branch_id', '=', cells.branchId as string)
  if (isAfter) groups = groups.where('group.id', '>', cells.after as string)
  return groups.orderBy('group.id').limit(GROUPS_AT_ONCE)
}

const nextGroups = ({ whole, tenant }: Tx, { branchId, days, after }: AlignClosure): Promise<{ id: string }[]> => {
  const cells: Record<string, string> = {
    ...(branchId !== null && { branchId }),
    ...(after !== null && { after }),
  }
  for (const [nth, { from, to }] of days.entries()) {
    cells[`from ${nth}`] = startOfLocalDay(from, tenant.timezone)
    cells[`before ${nth}`] = startOfLocalDay(addDays(to, 1), tenant.timezone)
  }
  const build = (handle: ScopedDb, slots: Record<string, string>) =>
    groupsWithin(handle, { ranges: days.length, isOfBranch: branchId !== null, isAfter: after !== null }, slots)
  return groupIdsOf(whole, { key: `${days.length} ${branchId !== null} ${after !== null}`, build }, cells)
}

/** Aligns a group on the days, from one of them on. @returns what of the slice is left, and the day from which it goes on */
const alignDays = async (
  tx: Tx,
  id: string,
  { days, from, most }: { days: AlignClosure['days']; from: string | null; most: number },
): Promise<{ left: number; isTouched: boolean; next: string | null }> => {
  const group = await lockRow(tx, groupRecord, id)
  const horizon = await horizonOf(tx, id)
  let left = most
  let isTouched = false
  for (const { from: first, to } of days) {
    let next: string | null = from !== null && from > first ? from : first
    while (next !== null && next <= to) {
      if (left <= 0) return { left, isTouched, next }
      const until = horizon < to ? horizon : to
      const aligned: Awaited<ReturnType<typeof alignGroup>> = await alignGroup(tx, group, {
        days: { from: next, to },
        until,
        most: left,
      })
      if (aligned.gone.count + aligned.back.count > 0) isTouched = true
      left -= Math.max(LOOK, aligned.removed + aligned.cancelled + aligned.restored + aligned.created)
      next = aligned.next
    }
  }
  return { left, isTouched, next: null }
}

/** @returns what is left to do; null: nothing */
const alignSlice = async (tx: Tx, payload: AlignClosure): Promise<AlignClosure | null> => {
  const { days, part } = payload
  const groups = await nextGroups(tx, payload)
  const groupIds = new Set(payload.groupIds)
  let { after } = payload
  let most = SESSIONS_AT_ONCE
  for (const { id } of groups) {
    if (most <= 0) return { ...payload, groupIds: [...groupIds], after, part: null }
    const from = part?.groupId === id ? part.from : null
    const { left, isTouched, next } = await alignDays(tx, id, { days, from, most })
    if (isTouched) groupIds.add(id)
    if (next !== null) return { ...payload, groupIds: [...groupIds], after, part: { groupId: id, from: next } }
    after = id
    most = left
  }
  if (groups.length === GROUPS_AT_ONCE) return { ...payload, groupIds: [...groupIds], after, part: null }
  if (groupIds.size > 0) noticeClosure(tx, { ...payload, groupIds: [...groupIds] })
  return null
}

const noticeClosure = (tx: Tx, closure: AlignClosure): void => {
  const { tenantId, noticeId, told, isLifted, groupIds } = closure
  const notice = { tenantId, noticeId, told, isLifted, groupIds, after: null }
  tx.enqueue(closureNoticeJob, notice, { lane: laneIn(tenantId, 'tell') })
}

/** The days of all of them in their order, those that overlap or meet as one. */
const joined = (all: AlignClosure['days']): AlignClosure['days'] => {
  const days: AlignClosure['days'] = []
  for (const { from, to } of all.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = days.at(-1)
    if (!last || from > addDays(last.to, 1)) days.push({ from, to })
    else if (to > last.to) last.to = to
  }
  return days
}

/** Aligns the first groups, whoever reaches them, and enqueues the job that goes on. */
export const alignClosure = async (
  caller: Tx,
  { days, ...closure }: Omit<AlignClosure, 'tenantId' | 'noticeId' | 'groupIds' | 'after' | 'part'>,
): Promise<void> => {
  const tx = caller.within('all')
  const payload = {
    ...closure,
    days: joined(days),
    tenantId: tx.tenant.id,
    noticeId: tx.id(),
    groupIds: [],
    after: null,
    part: null,
  }
  const left = await alignSlice(tx, payload)
  if (left) tx.enqueue(alignClosureJob, left)
}

export const alignClosureOn = async ({ payload, finish }: JobContext<AlignClosure>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, payload.tenantId)
    if (!tenant) return
    const tx = system.inTenant(tenant)
    const left = await alignSlice(tx, payload)
    if (left) tx.enqueue(alignClosureJob, left)
  })
}
