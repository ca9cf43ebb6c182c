import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { alignGroup, horizonOf } from '#modules/sessions/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { lockRow } from '#runtime/records/records.ts'

/*
 * What closed days mean for the sessions of all groups: each group is aligned by itself, the first ones in the request,
 * the others in a job. Each slice is kept with the job that goes on; aligning a group twice changes nothing.
 */

/** Sessions after whose change others get their turn. */
const SESSIONS_AT_ONCE = 60
const GROUPS_AT_ONCE = 20

const closedDays = {
  tenantId: v.string(),
  /** One message is made to a person of it. */
  noticeId: v.string(),
  name: v.string(),
  from: v.string(),
  to: v.string(),
  /** Whether the days are open again. */
  isLifted: v.boolean(),
}

export const alignClosureJob = declareJob(
  'closures.align',
  v.object({
    ...closedDays,
    /** Only its groups; null: those of all branches. */
    branchId: v.nullable(v.string()),
    /** The days whose sessions are looked at. */
    days: v.object({ from: v.string(), to: v.string() }),
    /** Groups of which lessons to come are cancelled, or take place after all. */
    groupIds: v.array(v.string()),
    /** The last group that was looked at. */
    after: v.nullable(v.string()),
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

/** Groups that have sessions on the days, or weekly times by which they may be missing some. */
const nextGroups = ({ whole, tenant }: Tx, { branchId, days, after }: AlignClosure) => {
  let groups = whole
    .selectFrom('group')
    .select('group.id')
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('session')
            .select('session.id')
            .whereRef('session.group_id', '=', 'group.id')
            .where('session.scheduled_start', '>=', startOfLocalDay(days.from, tenant.timezone))
            .where('session.scheduled_start', '<', startOfLocalDay(addDays(days.to, 1), tenant.timezone)),
        ),
        eb.and([
          eb('group.status', 'in', ['planned', 'active']),
          eb.exists(
            eb
              .selectFrom('schedule_rule')
              .select('schedule_rule.id')
              .whereRef('schedule_rule.group_id', '=', 'group.id'),
          ),
        ]),
      ]),
    )
  if (branchId !== null) groups = groups.where('group.branch_id', '=', branchId)
  if (after !== null) groups = groups.where('group.id', '>', after)
  return groups.orderBy('group.id').limit(GROUPS_AT_ONCE).execute()
}

/** @returns what is left to do; null: nothing */
const alignSlice = async (tx: Tx, payload: AlignClosure): Promise<AlignClosure | null> => {
  const { days } = payload
  const groups = await nextGroups(tx, payload)
  const groupIds = [...payload.groupIds]
  let changed = 0
  let seen = 0
  for (const { id } of groups) {
    const group = await lockRow(tx, groupRecord, id)
    const horizon = await horizonOf(tx, id)
    const aligned = await alignGroup(tx, group, { days, until: horizon < days.to ? horizon : days.to })
    if (aligned.gone.count + aligned.back.count > 0) groupIds.push(id)
    changed += aligned.removed + aligned.cancelled + aligned.restored + aligned.created
    seen += 1
    if (changed >= SESSIONS_AT_ONCE) break
  }
  const isLast = seen === groups.length && groups.length < GROUPS_AT_ONCE
  if (!isLast) return { ...payload, groupIds, after: groups[seen - 1]?.id ?? null }
  if (groupIds.length > 0) noticeClosure(tx, { ...payload, groupIds })
  return null
}

const noticeClosure = (tx: Tx, { branchId: _, days: __, ...notice }: AlignClosure): void =>
  tx.enqueue(closureNoticeJob, { ...notice, after: null }, { lane: laneIn(tx.tenant.id, 'tell') })

/** Aligns the first groups, and enqueues the job that goes on. */
export const alignClosure = async (
  tx: Tx,
  closure: Omit<AlignClosure, 'tenantId' | 'noticeId' | 'groupIds' | 'after'>,
): Promise<void> => {
  const payload = { ...closure, tenantId: tx.tenant.id, noticeId: tx.id(), groupIds: [], after: null }
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
