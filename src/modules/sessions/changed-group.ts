import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { firstOf, leftOf, nextDay, takeSteps, toCome, type Aligned, type Done } from './align.ts'
import { partOf, planAlignment, type Step } from './alignment-plan.ts'
import type { ScheduledGroup } from './generation.ts'
import { horizonAfter } from './horizon.ts'
import { noticeGroup } from './notices.ts'
import { GROUP_REASONS } from './reasons.ts'

/*
 * What a change of a group means for its sessions: the first ones follow in the request, the others in a job, a slice a
 * transaction, so that nobody waits for all of them. Each slice is kept with the job that goes on, and looks again at the
 * group as it is then: of two changes in a row, both jobs work towards the last. A slice looks only at the next sessions,
 * in the order of time; at the end all of them are looked at once more, since some may have been moved meanwhile.
 */

/** Sessions after whose change others get their turn: half a year of a group that meets twice a week. */
const SESSIONS_AT_ONCE = 60

export const alignGroupJob = declareJob(
  'sessions.align-group',
  v.object({
    tenantId: v.string(),
    groupId: v.string(),
    /** When the group was changed, and its dates before. */
    changedAt: v.string(),
    startsOn: v.nullable(v.string()),
    endsOn: v.nullable(v.string()),
    /** Until when sessions are made that are missing. */
    until: v.string(),
    /** The day from which on the next ones are looked at; null: all are. Jobs of a version that knew no parts have none. */
    from: v.optional(v.nullable(v.string())),
    /** Of what has been done, what its people are told at the end: when the sessions begin. */
    reason: v.nullable(v.picklist(GROUP_REASONS)),
    gone: v.array(v.string()),
    back: v.array(v.string()),
  }),
)
type AlignChanged = v.InferOutput<typeof alignGroupJob.payload>

/** No session is earlier or later. */
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2200-12-31'

interface Slice {
  done: Done
  /** What is to be done yet, of what was looked at. */
  left: readonly Step[]
  /** The day from which on the next slice looks; null: at all of them. */
  from: string | null
}

const alignSlice = async (
  tx: Tx,
  group: ScheduledGroup,
  {
    startsOn,
    endsOn,
    changedAt,
    until,
    from = null,
  }: Omit<AlignChanged, 'tenantId' | 'groupId' | 'reason' | 'gone' | 'back'>,
): Promise<Slice> => {
  const former = { starts_on: startsOn, ends_on: endsOn, changedAt }
  const days = { from: from ?? FIRST_DAY, to: LAST_DAY }
  const part = from === null ? days : await partOf(tx, group.id, days)
  const steps = await planAlignment(tx, group, { former, until, ...(from !== null && { days: part }) })
  const slice = firstOf(steps, SESSIONS_AT_ONCE)
  const done = await takeSteps(tx, group.id, slice)
  const left = leftOf(steps, slice)
  return { done, left, from: nextDay(tx, left, { part, days }) }
}

const countOf = (steps: readonly Step[], kind: Step['does']): number => steps.filter(({ does }) => does === kind).length

/** What became of the sessions, and what will. */
type Followed = Pick<Aligned, 'removed' | 'cancelled' | 'restored' | 'created'>

const followedOf = (done: Done, left: readonly Step[]): Followed => ({
  removed: done.removed + countOf(left, 'remove'),
  cancelled:
    done.cancelled + left.filter((step) => step.does === 'cancel' && step.session.status === 'scheduled').length,
  restored: done.restored + countOf(left, 'restore'),
  created: done.created + countOf(left, 'create'),
})

/**
 * Aligns the sessions of a locked group with what it is from now on, and tells its people once: at once, or where the
 * sessions are many when the last of them is done.
 * @returns what became of them, in the end
 * @throws VALIDATION_ERROR when more sessions are missing than are made at once
 */
export const alignChangedGroup = async (
  tx: Tx,
  { former, group }: { former: Row<'group'>; group: Row<'group'> },
): Promise<Followed> => {
  const change = {
    changedAt: tx.now,
    startsOn: former.starts_on,
    endsOn: former.ends_on,
    until: await horizonAfter(tx, group, former),
    from: null,
  }
  const { done, left, from } = await alignSlice(tx, group, change)
  const { reason, gone, back } = done
  if (left.length > 0) {
    tx.enqueue(alignGroupJob, { ...change, from, tenantId: tx.tenant.id, groupId: group.id, reason, gone, back })
  } else {
    noticeGroup(tx, group.id, { reason, gone: toCome(gone), back: toCome(back) })
  }
  return followedOf(done, left)
}

/** Tells of what has been done, as far as it still stands: the group may have been changed again meanwhile. */
const noticeStanding = async (tx: Tx, { groupId, reason, gone, back }: AlignChanged): Promise<void> => {
  const rows = await tx.whole
    .selectFrom('session')
    .select('scheduled_start')
    .where('group_id', '=', groupId)
    .where('scheduled_start', '>', tx.now)
    .where('status', '!=', 'cancelled')
    .execute()
  const standing = new Set(rows.map((row) => row.scheduled_start))
  const stillGone = gone.filter((start) => !standing.has(start))
  noticeGroup(tx, groupId, {
    reason: stillGone.length > 0 ? reason : null,
    gone: toCome(stillGone),
    back: toCome(back.filter((start) => standing.has(start))),
  })
}

export const alignGroupOn = async ({ payload, finish }: JobContext<AlignChanged>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, payload.tenantId)
    if (!tenant) return
    const tx = system.inTenant(tenant)
    const { groupId } = payload
    if (!(await tx.whole.selectFrom('group').select('id').where('id', '=', groupId).executeTakeFirst())) return
    const { done, left, from } = await alignSlice(tx, await lockRow(tx, groupRecord, groupId), payload)
    const next = {
      ...payload,
      from,
      reason: done.reason ?? payload.reason,
      gone: [...payload.gone, ...done.gone],
      back: [...payload.back, ...done.back],
    }
    if ((payload.from ?? null) !== null || left.length > 0) tx.enqueue(alignGroupJob, next)
    else await noticeStanding(tx, next)
  })
}
