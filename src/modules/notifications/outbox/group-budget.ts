import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { count, id, ts } from '#kernel/values/schema.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { readSettings } from '#modules/settings/index.ts'

/*
 * How often teachers may write to the families of a group in a day. The row of the group is counted and locked by one
 * statement, which does nothing where the day is full: two at once cannot pass it, whatever process they come to.
 */

export const TeachersDoNotWrite = failure(
  'FORBIDDEN',
  'teachers_do_not_write',
  'In this institute teachers do not write to families: the setting teacherMessagesPerDay is 0.',
)

export const GroupToldOften = failure(
  'RATE_LIMITED',
  'group_told_often',
  'Teachers have written to the families of this group as often as they may today.',
  {
    details: {
      schema: explained(v.object({ groupId: id, most: count, opensAt: ts }), {
        groupId: 'Which group.',
        most: 'How many messages a day there may be.',
        opensAt: 'When the next one may go.',
      }),
      example: {
        groupId: '01890a5d-ac96-774b-bcce-b302099a8057',
        most: 3,
        opensAt: '2026-03-01T22:00:00.000Z',
      },
    },
  },
)

const opensAt = (today: string, { timezone }: Pick<TenantInfo, 'timezone'>): string =>
  startOfLocalDay(addDays(today, 1), timezone)

/** Counts a message to each of the groups. @throws TeachersDoNotWrite, GroupToldOften */
export const takeBudget = async (tx: Tx, groupIds: readonly string[]): Promise<void> => {
  if (groupIds.length === 0) return
  const { teacherMessagesPerDay: most } = await readSettings(tx.whole)
  if (most === 0) throw TeachersDoNotWrite()
  // In one order, so that no two transactions deadlock.
  for (const groupId of groupIds.toSorted()) {
    const taken = await tx.whole
      .insertInto('group_messages')
      .values({ group_id: groupId, day: tx.today, sent: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'group_id'])
          .doUpdateSet((eb) => ({
            day: eb.ref('excluded.day'),
            sent: eb
              .case()
              .when('group_messages.day', '=', eb.ref('excluded.day'))
              .then(eb('group_messages.sent', '+', 1))
              .else(1)
              .end(),
          }))
          .where((eb) =>
            eb.or([eb('group_messages.day', '<>', eb.ref('excluded.day')), eb('group_messages.sent', '<', most)]),
          ),
      )
      .returning('group_id')
      .execute()
    if (taken.length > 0) continue
    const opens = opensAt(tx.today, tx.tenant)
    const seconds = Math.ceil((Date.parse(opens) - Date.parse(tx.now)) / 1000)
    throw GroupToldOften({ groupId, most, opensAt: opens }, { 'Retry-After': String(Math.max(1, seconds)) })
  }
}

/** How many messages are left to teachers of these groups today: as many as to the one that was written to most. */
export const budgetOf = async (
  { whole, tenant, now }: { whole: ScopedDb; tenant: TenantInfo; now: string },
  groupIds: readonly string[],
): Promise<{ most: number; left: number; opensAt: string } | null> => {
  if (groupIds.length === 0) return null
  const { teacherMessagesPerDay: most } = await readSettings(whole)
  const today = localDate(now, tenant.timezone)
  const rows = await whole
    .selectFrom('group_messages')
    .select('sent')
    .where('group_id', 'in', groupIds)
    .where('day', '=', today)
    .execute()
  const left = Math.max(0, most - Math.max(0, ...rows.map(({ sent }) => sent)))
  return { most, left, opensAt: opensAt(today, tenant) }
}
