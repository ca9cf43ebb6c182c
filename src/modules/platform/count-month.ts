import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { STUDENTS_IN_PLAN } from '#modules/people/index.ts'
import { monthOf } from './months.ts'
import { recurringNow } from './recurring.ts'

export const countMonthJob = declareJob('platform.count-month', noPayload)

/**
 * Writes how many students there are and what subscriptions bring, in the row of the present month. Students come and go
 * and plans change their price: nothing that is kept could tell of a month that is over. Each institute counts its own
 * students, so that this reads one row of each.
 */
export const countMonth = async ({ everywhere, db, now, finish }: JobContext): Promise<void> => {
  const { students } = await everywhere
    .selectFrom('tenant_counter')
    .innerJoin('tenant', 'tenant.id', 'tenant_counter.tenant_id')
    .where('tenant_counter.name', '=', STUDENTS_IN_PLAN)
    .where('tenant.status', '<>', 'archived')
    .select(({ fn }) => fn.sum<number | null>('tenant_counter.value').as('students'))
    .executeTakeFirstOrThrow()
  const counted = { students: students ?? 0, recurring: await recurringNow(db, now), counted_at: now }
  await finish(async (tx) => {
    await tx.db
      .insertInto('platform_month')
      .values({ month: monthOf(now), ...counted })
      .onConflict((conflict) => conflict.column('month').doUpdateSet(counted))
      .execute()
  })
}
