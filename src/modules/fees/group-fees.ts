import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Row } from '#runtime/records/records.ts'
import { createFeeSchedule } from './schedules.ts'

/** The fees that billing runs charge the students of these groups, by the group; those of whole courses are not among them. */
export const recurringFeesOf = async (
  { whole }: Pick<Tx, 'whole'>,
  groupIds: readonly string[],
): Promise<Map<string, Row<'fee_schedule'>[]>> => {
  const rows = await whole
    .selectFrom('fee_schedule')
    .selectAll()
    .where('group_id', 'in', groupIds)
    .where('kind', '=', 'per_group')
    .where('recurrence', 'in', ['monthly', 'per_term'])
    .where('is_active', '=', true)
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, (row) => row.group_id as string)
}

/** Charges the students of another group as those of this one, from a day on. */
export const continueFees = async (
  tx: Tx,
  { from, to, startsOn }: { from: string; to: string; startsOn: string },
): Promise<void> => {
  const fees = (await recurringFeesOf(tx, [from])).get(from) ?? []
  for (const row of fees) {
    await createFeeSchedule(tx, {
      name: row.name,
      kind: row.kind,
      amountMinor: row.amount_minor,
      currency: row.currency,
      recurrence: row.recurrence,
      courseId: row.course_id,
      groupId: to,
      dueDay: row.due_day,
      isActive: true,
      price: row.price,
      validFrom: startsOn,
      validTo: null,
      proration: row.proration,
    })
  }
}
