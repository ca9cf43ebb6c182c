import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { startOfLocalDay } from '#kernel/time/zone.ts'
import { unlinked } from '#shared/text.ts'
import type { ClosureNotice } from '#modules/closures/index.ts'
import { findStaff } from '../recipients/records.ts'
import { membersSlice } from './groups.ts'
import type { NotifierResult } from './occasion.ts'

type Told = ClosureNotice['told'][number]

/** Closed days, or days that are open after all, for the next of those whose lessons they concern: once for a person. */
export const noticedClosure = async (
  { whole, tenant }: Pick<Tx, 'whole' | 'tenant'>,
  { noticeId, told, isLifted, groupIds, after }: ClosureNotice,
): Promise<NotifierResult> => {
  const [first, ...others] = told as [Told, ...Told[]]
  const { recipients, next } = await membersSlice(whole, groupIds, after)
  if (after === null) {
    const taught = await whole
      .selectFrom('group')
      .select('teacher_staff_id')
      .distinct()
      .where('id', 'in', groupIds)
      .where('teacher_staff_id', 'is not', null)
      .execute()
    recipients.push(
      ...(await findStaff(
        whole,
        taught.flatMap((row) => row.teacher_staff_id ?? []),
      )),
    )
  }
  return {
    occasions: [
      {
        sourceId: noticeId,
        templateKey: isLifted ? 'closure.lifted' : others.length > 0 ? 'closures.announced' : 'closure.announced',
        branchId: null,
        payload: {},
        recipients,
        happensAt: startOfLocalDay(first.from, tenant.timezone),
        values: ({ f }) =>
          others.length > 0
            ? { days: told.map(({ name, from, to }) => `${f.days(from, to)}: ${unlinked(name)}`).join('\n') }
            : { closureName: unlinked(first.name), from: f.date(first.from), to: f.date(first.to) },
      },
    ],
    next,
  }
}
