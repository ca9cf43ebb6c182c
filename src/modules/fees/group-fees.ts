import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Row } from '#runtime/records/records.ts'
import { addDays } from '#kernel/time/zone.ts'
import { createFeeSchedule } from './schedules.ts'

/**
 * The fees that billing runs charge the students of these groups to the last, by the group. Those of whole courses are not
 * among them, nor those that ended in a month before the last one of the group, in whose place others stand.
 * @param startsOn when others go on for them, of whom some have no last day yet
 */
export const recurringFeesOf = async (
  { whole }: Pick<Tx, 'whole'>,
  groupIds: readonly string[],
  startsOn: string,
): Promise<Map<string, Row<'fee_schedule'>[]>> => {
  const rows = await whole
    .selectFrom('fee_schedule')
    .innerJoin('group', 'group.id', 'fee_schedule.group_id')
    .selectAll('fee_schedule')
    .select('group.ends_on')
    .where('fee_schedule.group_id', 'in', groupIds)
    .where('fee_schedule.kind', '=', 'per_group')
    .where('fee_schedule.recurrence', 'in', ['monthly', 'per_term'])
    .where('fee_schedule.is_active', '=', true)
    .orderBy('fee_schedule.id')
    .execute()
  const monthOf = (day: string) => day.slice(0, 7)
  const goOn = rows.filter(({ valid_to: validTo, ends_on: endsOn }) => {
    const last = endsOn ?? addDays(startsOn, -1)
    return validTo === null || monthOf(validTo) >= monthOf(last)
  })
  return Map.groupBy(goOn, (row) => row.group_id as string)
}

/** Charges the students of another group as those of this one, from a day on; fees that had an end end with the new group. */
export const continueFees = async (
  tx: Tx,
  { from, to, startsOn, endsOn }: { from: string; to: string; startsOn: string; endsOn: string | null },
): Promise<void> => {
  const fees = (await recurringFeesOf(tx, [from], startsOn)).get(from) ?? []
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
      validTo: row.valid_to === null ? null : endsOn,
      proration: row.proration,
    })
  }
}
