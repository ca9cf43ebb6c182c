import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeGroup, groupRecord, isOpen } from '#modules/groups/index.ts'
import { alignChangedGroup } from '#modules/sessions/index.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { addDays } from '#kernel/time/zone.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { lastDayOf } from './former.ts'

type Continuation = Pick<Row<'group_continuation'>, 'id' | 'from_group_id' | 'to_group_id'>

const change = (tx: Tx, id: string, changes: Parameters<typeof changeGroup>[2]) =>
  changeGroup(tx, { id, alignLessons: alignChangedGroup }, changes)

/**
 * Ends a group that goes on as another one: with its own last day, or the one before the other begins. Once that day is
 * over it is completed, and the other one is active from its first day on.
 */
export const endFormer = async (tx: Tx, row: Continuation, startsOn: string): Promise<void> => {
  const former = await lockRow(tx, groupRecord, row.from_group_id)
  const endsOn = lastDayOf(former, startsOn)
  const isOver = endsOn < tx.today
  if (isOpen(former.status) && (isOver || former.ends_on === null)) {
    await change(tx, former.id, { endsOn, ...(isOver && { status: 'completed' as const }) })
  }
  if (startsOn > tx.today) return
  const next = await lockRow(tx, groupRecord, row.to_group_id)
  if (next.status === 'planned') await change(tx, next.id, { status: 'active' })
  if (isOpen(former.status) && !isOver) return
  await tx.whole.updateTable('group_continuation').set({ ended_at: tx.now }).where('id', '=', row.id).execute()
}

export const sweepFormerJob = declareJob('rollover.sweep-former', noPayload)

/** Groups per transaction; a larger one would make other writers wait too long. */
const BATCH = 5
/** No time zone is further ahead of UTC. */
const AHEAD_DAYS = 1

/** Completes the groups whose last day is over, in the time zone of their institute, and opens those that follow. */
export const sweepFormer = async ({ db, everywhere, now, change: run }: JobContext): Promise<void> => {
  const latest = addDays(now.slice(0, 10), AHEAD_DAYS)
  let after = ''
  for (;;) {
    const rows = await everywhere
      .selectFrom('group_continuation')
      .innerJoin('group as next', 'next.id', 'group_continuation.to_group_id')
      .innerJoin('group as former', 'former.id', 'group_continuation.from_group_id')
      .select(['group_continuation.id', 'group_continuation.tenant_id', 'group_continuation.from_group_id'])
      .select(['group_continuation.to_group_id', 'next.starts_on'])
      .where('group_continuation.ended_at', 'is', null)
      .where('group_continuation.filled_at', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('next.starts_on', '<=', latest),
          eb.and([eb('former.ends_on', '<', latest), eb('former.status', 'in', ['planned', 'active'])]),
        ]),
      )
      .$if(after !== '', (query) => query.where('group_continuation.id', '>', after))
      .orderBy('group_continuation.id')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const tenants = await findTenants(db, [...new Set(rows.map(({ tenant_id: id }) => id))])
    await run(async (system) => {
      for (const row of rows) {
        const tenant = tenants.get(row.tenant_id)
        if (!tenant || tenant.status === 'archived') continue
        const tx = system.inTenant(tenant)
        await endFormer(tx, row, row.starts_on ?? tx.today)
      }
    })
  }
}
