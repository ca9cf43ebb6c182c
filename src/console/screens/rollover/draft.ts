import type { Schemas } from '../../api/client.ts'

type NewRollover = Schemas['NewRollover']
export type Rollover = Schemas['Rollover']
export type PlannedGroup = Rollover['groups'][number]
export type PlannedStudent = PlannedGroup['students'][number]

/** What somebody has chosen for the new year. */
export interface Draft {
  groupIds: readonly string[]
  startsOn: string | null
  endsOn: string | null
  keepTimes: boolean
  keepTeachers: boolean
  priceRule: NonNullable<NewRollover['priceRule']>
  /** The names that were typed, by the former group. */
  names: ReadonlyMap<string, string>
  /** Students who were ticked or unticked by hand, as `<group> <student>`. */
  ticks: ReadonlyMap<string, boolean>
}

export const tickOf = (groupId: string, studentId: string): string => `${groupId} ${studentId}`

/** A school year begins here with September, and ends with June. */
export const nextYear = (today: string): { startsOn: string; endsOn: string } => {
  const year = Number(today.slice(0, 4))
  const first = today < `${year}-09-01` ? year : year + 1
  return { startsOn: `${first}-09-01`, endsOn: `${first + 1}-06-30` }
}

/** Who pauses goes on only where somebody says so. */
const isUsual = ({ leftOut }: PlannedStudent): boolean => leftOut === null || leftOut === 'not_chosen'

/** Whether a student goes on as far as people have chosen. */
export const isTicked = (draft: Draft, groupId: string, student: PlannedStudent): boolean =>
  draft.ticks.get(tickOf(groupId, student.studentId)) ?? isUsual(student)

/** Whether people choose: of who has left, or has a place already, there is nothing to choose. */
export const mayTick = (draft: Draft, groupId: string, student: PlannedStudent): boolean =>
  isUsual(student) || student.leftOut === 'paused' || draft.ticks.get(tickOf(groupId, student.studentId)) === true

/** Everybody who goes on by name, once somebody who pauses is ticked: they go on only where they are named. */
const namedIn = (draft: Draft, plan: Rollover | undefined): string[] | undefined => {
  if (plan === undefined || ![...draft.ticks.values()].includes(true)) return undefined
  const named = plan.groups.flatMap(({ groupId, students }) =>
    students.filter((student) => isTicked(draft, groupId, student)).map(({ studentId }) => studentId),
  )
  return [...new Set(named)]
}

/** @param plan what was planned last */
export const bodyOf = (draft: Draft, plan: Rollover | undefined): NewRollover | undefined => {
  const { groupIds, startsOn, endsOn, keepTimes, keepTeachers, priceRule, names, ticks } = draft
  if (groupIds.length === 0 || startsOn === null || endsOn === null) return undefined
  const chosen = new Set(groupIds)
  const except = [...ticks].flatMap(([key, isOn]) => {
    const [groupId = '', studentId = ''] = key.split(' ')
    return isOn || !chosen.has(groupId) ? [] : [{ groupId, studentId }]
  })
  const studentIds = namedIn(draft, plan)
  const typed = [...names].flatMap(([groupId, name]) =>
    chosen.has(groupId) && name.trim() !== '' ? [{ groupId, name }] : [],
  )
  return {
    groupIds: [...groupIds],
    startsOn,
    endsOn,
    keepTimes,
    keepTeachers,
    priceRule,
    names: typed,
    except,
    ...(studentIds && { studentIds }),
  }
}
