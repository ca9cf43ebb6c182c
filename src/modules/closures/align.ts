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
 * the others in a job. A group with many lessons takes several slices. Each slice is kept with the job that goes on;
 * aligning a group twice changes nothing.
 */

/** Sessions after whose change others get their turn. Fewer would cost more: each slice plans its group anew. */
const SESSIONS_AT_ONCE = 60
const GROUPS_AT_ONCE = 20

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
        ...days.map(({ from, to }) =>
          eb.exists(
            eb
              .selectFrom('session')
              .select('session.id')
              .whereRef('session.group_id', '=', 'group.id')
              .where('session.scheduled_start', '>=', startOfLocalDay(from, tenant.timezone))
              .where('session.scheduled_start', '<', startOfLocalDay(addDays(to, 1), tenant.timezone)),
          ),
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
  const groups = await nextGroups(tx, payload)
  const groupIds = new Set(payload.groupIds)
  let { after } = payload
  let left = SESSIONS_AT_ONCE
  for (const { id } of groups) {
    const group = await lockRow(tx, groupRecord, id)
    const horizon = await horizonOf(tx, id)
    for (const days of payload.days) {
      const until = horizon < days.to ? horizon : days.to
      const aligned = await alignGroup(tx, group, { days, until, most: left })
      if (aligned.gone.count + aligned.back.count > 0) groupIds.add(id)
      left -= aligned.removed + aligned.cancelled + aligned.restored + aligned.created
      if (!aligned.isWhole || left <= 0) return { ...payload, groupIds: [...groupIds], after }
    }
    after = id
  }
  if (groups.length === GROUPS_AT_ONCE) return { ...payload, groupIds: [...groupIds], after }
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
  { days, ...closure }: Omit<AlignClosure, 'tenantId' | 'noticeId' | 'groupIds' | 'after'>,
): Promise<void> => {
  const tx = caller.within('all')
  const payload = {
    ...closure,
    days: joined(days),
    tenantId: tx.tenant.id,
    noticeId: tx.id(),
    groupIds: [],
    after: null,
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
