import type { Schemas } from '../../api/client.ts'
import type { RecordSource } from '../../parts/record-choice.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { readCourses } from '../course/reads.ts'
import type { DiscountScope } from '../discount/reads.ts'
import { readGroups } from '../group/reads.ts'

export interface Charged extends DiscountScope {
  name: string
  /** What it costs to learn there, until somebody types another amount. */
  feeMinor: number | null
  currency: Schemas['NewFeeSchedule']['currency']
}

/** What fees are charged for, and what discounts may be for: all groups of a course, or one of them. */
export const useChargedSource = () => {
  const { fees: words } = useWords()
  const { can } = useMe()
  return {
    key: ['/groups', 'charged', can('courses.read'), can('groups.read')],
    read: async (q, signal) => {
      const asked = { limit: 50, ...(q !== '' && { q }) }
      const [courses, groups] = await Promise.all([
        can('courses.read') ? readCourses({ ...asked, isActive: true }, signal) : undefined,
        can('groups.read') ? readGroups({ ...asked, status: 'active' }, signal) : undefined,
      ])
      const data = [
        ...(courses?.data ?? []).map(({ id, name, defaultFeeMinor, currency }) => ({
          id,
          label: words.allGroupsOf(name),
          name,
          target: { courseId: id },
          feeMinor: defaultFeeMinor,
          currency,
        })),
        ...(groups?.data ?? []).map(({ id, name, courseName, feeMinor, currency }) => ({
          id,
          label: words.groupOf(name, courseName),
          name: `${name}, ${courseName}`,
          target: { groupId: id },
          feeMinor,
          currency,
        })),
      ]
      return { data, nextCursor: courses?.nextCursor ?? groups?.nextCursor ?? null }
    },
    optionOf: ({ id, label }: DiscountScope) => ({ id, label }),
  } satisfies RecordSource<Charged>
}
