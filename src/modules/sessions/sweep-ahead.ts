import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { findTenants } from '#modules/tenants/index.ts'
import { lockRow } from '#runtime/records/records.ts'
import { WINDOW_DAYS } from '#shared/occurrences.ts'
import { createMissing, occurrencesFor, onOpenDays, rulesOf, toRule } from './generation.ts'
import { lastDateOf } from './horizon.ts'

/*
 * A group goes on meeting by its weekly times, and so has lessons for the usual window ahead, however long ago somebody
 * made them. Lessons are added behind the last one alone: what is missing before it somebody left out.
 */

export const sweepAheadJob = declareJob('sessions.sweep-ahead', noPayload)

/** Groups per transaction; a larger one would make other writers wait too long. */
const BATCH = 5
/** A group gets some weeks of lessons together, and is not changed every day. */
const AT_LEAST_DAYS = WINDOW_DAYS - 7

const goOn = async (tx: Tx, groupId: string): Promise<void> => {
  const group = await lockRow(tx, groupRecord, groupId)
  const [rules, last] = [await rulesOf(tx.whole, groupId), await lastDateOf(tx, groupId)]
  const until = addDays(tx.today, WINDOW_DAYS)
  const ahead = occurrencesFor(tx, group, rules.map(toRule), until).filter(
    ({ date, end }) => end > tx.now && (last === null || date > last),
  )
  await createMissing(tx, groupId, await onOpenDays(tx, group, ahead))
}

/** Adds the lessons of groups that have fewer ahead than they should, in every institute. */
export const sweepAhead = async ({ db, everywhere, now, change }: JobContext): Promise<void> => {
  const today = now.slice(0, 10)
  let after = ''
  for (;;) {
    const groups = await everywhere
      .selectFrom('group')
      .innerJoin('tenant', 'tenant.id', 'group.tenant_id')
      .select(['group.id', 'group.tenant_id'])
      .where('tenant.status', '!=', 'archived')
      .where('group.status', 'in', ['planned', 'active'])
      .where((eb) => eb.or([eb('group.ends_on', 'is', null), eb('group.ends_on', '>=', today)]))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('schedule_rule')
            .select('schedule_rule.id')
            .whereRef('schedule_rule.tenant_id', '=', 'group.tenant_id')
            .whereRef('schedule_rule.group_id', '=', 'group.id')
            .where((eb) =>
              eb.or([eb('schedule_rule.valid_to', 'is', null), eb('schedule_rule.valid_to', '>=', today)]),
            ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('session')
              .select('session.id')
              .whereRef('session.tenant_id', '=', 'group.tenant_id')
              .whereRef('session.group_id', '=', 'group.id')
              .where('session.occurrence_date', '>=', addDays(today, AT_LEAST_DAYS)),
          ),
        ),
      )
      .$if(after !== '', (query) => query.where('group.id', '>', after))
      .orderBy('group.id')
      .limit(BATCH)
      .execute()
    const last = groups.at(-1)
    if (!last) return
    after = last.id
    const tenants = await findTenants(db, [...new Set(groups.map(({ tenant_id: id }) => id))])
    await change(async (system) => {
      for (const { id, tenant_id: tenantId } of groups) {
        const tenant = tenants.get(tenantId)
        if (tenant) await goOn(system.inTenant(tenant), id)
      }
    })
  }
}
