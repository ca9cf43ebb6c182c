import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { unlinked } from '#shared/text.ts'
import type { CoverNotice } from '#modules/covers/index.ts'
import { fullName } from '#modules/people/index.ts'
import { findStaff } from '../recipients/records.ts'
import type { NotifierResult, Writing } from './occasion.ts'
import { membersSlice } from './groups.ts'
import { groupsById } from './records.ts'

const TEMPLATES = { given: 'cover.given', lifted: 'cover.lifted', families: 'cover.announced' } as const

const namesOf = async ({ whole }: Pick<Tx, 'whole'>, ids: readonly string[]): Promise<(id: string) => string> => {
  const staff = await whole
    .selectFrom('staff')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute()
  const names = new Map(staff.map((row) => [row.id, fullName(row)]))
  return (id) => names.get(id) ?? ''
}

/** Who stands in for whom, for whoever does it, or for the next of the families: once for a person. */
export const noticedCover = async (tx: Pick<Tx, 'whole'>, notice: CoverNotice): Promise<NotifierResult> => {
  const {
    noticeId,
    what,
    staffId,
    substituteStaffId,
    otherSubstituteIds = [],
    from,
    to,
    lessons,
    count,
    groupIds,
    after,
  } = notice
  const { whole } = tx
  const standing = [substituteStaffId, ...otherSubstituteIds]
  const { recipients, next } =
    what === 'families'
      ? await membersSlice(whole, groupIds, after)
      : { recipients: await findStaff(whole, [substituteStaffId]), next: null }
  const nameOf = await namesOf(tx, [staffId, ...standing])
  const groups = await groupsById(whole, [...new Set(lessons.map(({ groupId }) => groupId))])
  const linesIn = ({ f, words }: Writing): string => {
    const lines = lessons.map(
      ({ groupId, start, end }) =>
        `${f.dayOf(start)}${f.comma}${f.time(start)}–${f.time(end)}: ${unlinked(groups.get(groupId)?.name ?? '')}`,
    )
    const left = count - lessons.length
    return [...lines, ...(left > 0 ? [words.moreLessons.replace('{{count}}', String(left))] : [])].join('\n')
  }
  return {
    occasions: [
      {
        sourceId: noticeId,
        templateKey: TEMPLATES[what],
        branchId: null,
        payload: {},
        recipients,
        happensAt: lessons[0]?.start as string,
        values: (writing) => ({
          teacherName: unlinked(nameOf(staffId)),
          substituteName: standing.map((id) => unlinked(nameOf(id))).join(writing.f.comma),
          from: writing.f.date(from),
          to: writing.f.date(to),
          ...(what !== 'families' && { lessons: linesIn(writing) }),
        }),
      },
    ],
    next,
  }
}
