import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { startOfLocalDay } from '#kernel/time/zone.ts'
import { unlinked } from '#shared/text.ts'
import type { ClosureNotice } from '#modules/closures/index.ts'
import { findStaff } from '../recipients/records.ts'
import { membersSlice } from './groups.ts'
import type { NotifierResult } from './occasion.ts'

/** Closed days, or days that are open after all, for the next of those whose lessons they concern: once for a person. */
export const noticedClosure = async (
  { whole, tenant }: Pick<Tx, 'whole' | 'tenant'>,
  { noticeId, name, from, to, isLifted, groupIds, after }: ClosureNotice,
): Promise<NotifierResult> => {
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
        templateKey: isLifted ? 'closure.lifted' : 'closure.announced',
        branchId: null,
        payload: {},
        recipients,
        happensAt: startOfLocalDay(from, tenant.timezone),
        values: ({ f }) => ({ closureName: unlinked(name), from: f.date(from), to: f.date(to) }),
      },
    ],
    next,
  }
}
