import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { unlinked } from '#shared/text.ts'
import type { ClosureNotice } from '#modules/closures/index.ts'
import { findStaff } from '../recipients/records.ts'
import { STUDENTS_AT_ONCE } from './groups.ts'
import type { NotifierResult } from './occasion.ts'
import { studentsAndGuardians } from './students.ts'

/** Closed days, or days that are open after all, for the next of those whose lessons they concern: once for a person. */
export const noticedClosure = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, name, from, to, isLifted, groupIds, after }: ClosureNotice,
): Promise<NotifierResult> => {
  let enrolled = whole
    .selectFrom('enrollment')
    .select('student_id')
    .distinct()
    .where('group_id', 'in', groupIds)
    .where('status', '=', 'active')
  if (after !== null) enrolled = enrolled.where('student_id', '>', after)
  const ids = (await enrolled.orderBy('student_id').limit(STUDENTS_AT_ONCE).execute()).map((row) => row.student_id)
  const recipients = [...(await studentsAndGuardians(whole, ids)).values()].flat()
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
        values: ({ f }) => ({ closureName: unlinked(name), from: f.date(from), to: f.date(to) }),
      },
    ],
    next: ids.length === STUDENTS_AT_ONCE ? (ids.at(-1) ?? null) : null,
  }
}
