import { dayOf } from '../../../shared/typed.ts'
import { Button } from '../../parts/button.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useCourse } from '../course/reads.ts'
import { useGroup } from '../group/reads.ts'

/** To what a report narrows a list that it opens, as the address says it. */
interface Narrowing {
  from?: string
  to?: string
  branch?: string
  course?: string
  group?: string
}

/** What of it the API takes; the branch that is chosen for all pages comes before one of the address. */
export const useNarrowing = ({ from, to, branch, course, group }: Narrowing) => {
  const { branches, branchId } = useMe()
  const [first, last] = [dayOf(from), dayOf(to)]
  const ofBranch = branchId ?? branches.find(({ id }) => id === branch)?.id
  return {
    ...(first && { from: first }),
    ...(last && { to: last }),
    ...(ofBranch && { branchId: ofBranch }),
    ...(course && { courseId: course }),
    ...(group && { groupId: group }),
  }
}

interface DaysProps<Name extends string> {
  from: string
  to: string
  /** What stands in the address for the first day and the last. */
  names: readonly [Name, Name]
  set: (name: Name, value: string) => void
  /** What is said of the days; left out: they alone. */
  worded?: (days: string) => string
}

/** The days to which a list is narrowed, where both are known; they are taken away together. */
export const NarrowedDays = <Name extends string>({ from, to, names, set, worded }: DaysProps<Name>) => {
  const format = useFormat()
  if (from === '' || to === '') return null
  const days = format.range(from, to)
  return (
    <Button icon="cross" onPress={() => names.forEach((name) => set(name, ''))}>
      {worded ? worded(days) : days}
    </Button>
  )
}

interface NarrowedToProps {
  filters: Pick<Narrowing, 'branch' | 'course' | 'group'>
  set: (name: 'branch' | 'course' | 'group', value: string) => void
  /** Whether the page has a choice of its own for the branch. */
  hasBranches?: boolean
}

/** The branch, the course and the group to which a list is narrowed. Each can be taken away again. */
export const NarrowedTo = ({ filters: { branch, course, group }, set, hasBranches = false }: NarrowedToProps) => {
  const { reporting: words } = useWords()
  const { can, branches, branchId } = useMe()
  const isChosen = hasBranches || branchId !== null
  const named = {
    branch: isChosen ? undefined : branches.find(({ id }) => id === branch)?.name,
    course: useCourse(course ?? null).data?.name ?? (course && words.course),
    group: useGroup(can('groups.read') ? group : undefined).data?.name ?? (group && words.group),
  }
  return (['branch', 'course', 'group'] as const).map(
    (name) =>
      named[name] && (
        <Button key={name} icon="cross" onPress={() => set(name, '')}>
          <bdi>{named[name]}</bdi>
        </Button>
      ),
  )
}
