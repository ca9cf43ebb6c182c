import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { OfferNotice } from '#modules/waiting-lists/index.ts'
import { studentsOf, type Occasion } from './occasion.ts'
import { groupsById } from './records.ts'
import { studentsAndGuardians } from './students.ts'

/** A place that became free is offered to a student who waits. */
export const offeredPlace = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, studentId, groupId, until }: OfferNotice,
): Promise<Occasion | undefined> => {
  const group = (await groupsById(whole, [groupId])).get(groupId)
  const recipients = (await studentsAndGuardians(whole, [studentId])).get(studentId)
  if (!group || !recipients) return undefined
  return {
    sourceId: noticeId,
    templateKey: 'place.offered',
    branchId: group.branch_id,
    payload: { studentId, groupId },
    recipients,
    values: (writing) => ({
      studentName: unlinked(studentsOf(writing)),
      groupName: unlinked(group.name),
      courseName: unlinked(group.course_name),
      until: writing.f.date(until),
    }),
  }
}
