import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { ApiError } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { continueFees } from '#modules/fees/index.ts'
import { enroll, groupRecord } from '#modules/groups/index.ts'
import { keptStudents } from '#modules/people/index.ts'
import { giveTimes } from '#modules/sessions/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { endFormer } from './end-former.ts'
import { agreedPrice, newTimes, readTimes } from './plan.ts'
import { PRICE_RULES } from './schemas.ts'

/*
 * What fills the new groups: a slice of it is done in the request, the rest in a job. Each slice is kept together with
 * what is then left to do, so whatever is killed on the way goes on where it was.
 */

/** Students, or a group with its lessons, after which others get their turn. */
const STUDENTS_AT_ONCE = 40

export const fillJob = declareJob(
  'rollover.fill',
  v.object({
    tenantId: v.string(),
    rolloverId: v.string(),
    keepTimes: v.boolean(),
    priceRule: v.picklist(PRICE_RULES),
    /** Whether the families are told when all is done. */
    notify: v.boolean(),
  }),
)
type Fill = v.InferOutput<typeof fillJob.payload>

/** The families are told once all of them have their places. */
export const rolloverNoticeJob = declareJob(
  'rollover.notice',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    rolloverId: v.string(),
    /** The last student who was told. */
    after: v.nullable(v.string()),
  }),
)
export type RolloverNotice = v.InferOutput<typeof rolloverNoticeJob.payload>

type Continuation = Row<'group_continuation'>

const nextOf = ({ whole }: Tx, { rolloverId }: Fill): Promise<Continuation | undefined> =>
  whole
    .selectFrom('group_continuation')
    .selectAll()
    .where('rollover_id', '=', rolloverId)
    .where('filled_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** What a student agreed on in the former group, where the new one has it too. */
const priceIn = async ({ whole }: Tx, groupId: string, studentId: string, { priceRule }: Fill) => {
  const row = await whole
    .selectFrom('enrollment')
    .select(['price_minor', 'currency', 'price_overridden'])
    .where('group_id', '=', groupId)
    .where('student_id', '=', studentId)
    .where('status', '!=', 'dropped')
    .orderBy('status')
    .orderBy('enrolled_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return agreedPrice(priceRule, {
    priceMinor: row.price_minor,
    currency: row.currency,
    isAgreed: row.price_overridden,
  })
}

/** Enrolls the next students. Who has left the institute meanwhile is not enrolled. @returns how many were looked at */
const enrollNext = async (tx: Tx, { from, to, ids }: { from: string; to: Row<'group'>; ids: string[] }, fill: Fill) => {
  const some = ids.slice(0, STUDENTS_AT_ONCE)
  for (const studentId of await keptStudents(tx.whole, some)) {
    const price = await priceIn(tx, from, studentId, fill)
    try {
      await enroll(tx, { studentId, groupId: to.id, enrolledAt: to.starts_on ?? undefined, ...price })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  return some.length
}

/** Does the next of what is to be done for a group. @returns how much it was */
const fillSlice = async (tx: Tx, row: Continuation, fill: Fill): Promise<number> => {
  const [former, to] = [
    await lockRow(tx, groupRecord, row.from_group_id),
    await lockRow(tx, groupRecord, row.to_group_id),
  ]
  const done = await enrollNext(tx, { from: former.id, to, ids: row.student_ids }, fill)
  const left = row.student_ids.slice(done)
  if (left.length === 0) {
    const startsOn = to.starts_on ?? tx.today
    if (fill.keepTimes) {
      const rules = (await readTimes(tx, [former.id])).get(former.id)
      await giveTimes(tx, to.id, newTimes(rules, former, startsOn))
    }
    await continueFees(tx, { from: former.id, to: to.id, startsOn, endsOn: to.ends_on })
    await endFormer(tx, row, startsOn)
  }
  await tx.whole
    .updateTable('group_continuation')
    .set({ student_ids: left, filled_at: left.length === 0 ? tx.now : null })
    .where('id', '=', row.id)
    .execute()
  return left.length === 0 ? STUDENTS_AT_ONCE : done
}

const tell = (tx: Tx, { tenantId, rolloverId }: Fill): void =>
  tx.enqueue(
    rolloverNoticeJob,
    { tenantId, noticeId: tx.id(), rolloverId, after: null },
    { lane: laneIn(tenantId, 'tell') },
  )

/** Fills the next group or a part of it, and enqueues the job that goes on. @returns whether all is done */
export const goOn = async (given: Tx, fill: Fill): Promise<boolean> => {
  // Whoever asked reaches the groups; students of other branches are in them too.
  const tx = given.within('all')
  const row = await nextOf(tx, fill)
  if (row) await fillSlice(tx, row, fill)
  const isDone = (await nextOf(tx, fill)) === undefined
  if (!isDone) tx.enqueue(fillJob, fill)
  else if (fill.notify) tell(tx, fill)
  return isDone
}

export const fillOn = async ({ payload, finish }: JobContext<Fill>): Promise<void> => {
  await finish(async (system) => {
    const tenant = await findTenant(system.db, payload.tenantId)
    if (!tenant || tenant.status === 'archived') return
    await goOn(system.inTenant(tenant), payload)
  })
}
