import { recurringFeesOf } from '#modules/fees/index.ts'
import { addDays } from '#kernel/time/zone.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { datesOf, type WeeklyRule } from '#shared/occurrences.ts'
import { fold } from '#shared/text.ts'
import type { Row } from '#runtime/records/records.ts'
import { readCandidates, type Candidate } from './candidates.ts'
import { lastDayOf, type FormerGroup } from './former.ts'
import { nextName } from './next-name.ts'
import type { NewRollover, RolloverGroup } from './schemas.ts'
import { clashesOf, lastTimes, timesFrom, type Meeting } from './times.ts'

/** What becomes of a group: as the reply tells it, and its students’ prices. */
export interface Plan {
  former: FormerGroup
  told: RolloverGroup
  times: WeeklyRule[]
  teacherStaffId: string | null
}

type Dates = Pick<NewRollover, 'startsOn' | 'endsOn'>

const roomOf = ({ branch_id: branchId, room }: { branch_id: string; room: string | null }): string | null => {
  const name = fold(room ?? '')
  return name === '' ? null : `${branchId} ${name}`
}

const readTeachers = async ({ whole }: Tx, groups: readonly FormerGroup[]) => {
  const ids = [...new Set(groups.flatMap(({ teacher_staff_id: id }) => id ?? []))]
  if (ids.length === 0) return new Map<string, { name: string; isActive: boolean }>()
  const rows = await whole
    .selectFrom('staff')
    .select(['id', 'first_name', 'last_name', 'is_active'])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [row.id, { name: `${row.first_name} ${row.last_name}`.trimEnd(), isActive: row.is_active }]),
  )
}

const toRule = (row: Row<'schedule_rule'>): WeeklyRule => ({
  weekday: row.weekday,
  startTime: row.start_time,
  endTime: row.end_time,
  validFrom: row.valid_from,
  validTo: row.valid_to,
})

/** The weekly times of the groups, by the group. */
export const readTimes = async ({ whole }: Pick<Tx, 'whole'>, groupIds: readonly string[]) => {
  const rows = await whole.selectFrom('schedule_rule').selectAll().where('group_id', 'in', groupIds).execute()
  return Map.groupBy(
    rows.map((row) => ({ groupId: row.group_id, rule: toRule(row) })),
    ({ groupId }) => groupId,
  )
}

/** The times of a group in the new year. */
export const newTimes = (
  rules: readonly { rule: WeeklyRule }[] | undefined,
  former: Pick<Row<'group'>, 'ends_on'>,
  startsOn: string,
): WeeklyRule[] =>
  timesFrom(
    lastTimes(
      (rules ?? []).map(({ rule }) => rule),
      lastDayOf(former, startsOn),
    ),
    startsOn,
  )

/** When the other groups within reach meet that take place in the new year. */
const readOthers = async (
  { db }: Tx,
  former: readonly FormerGroup[],
  { startsOn, endsOn }: Dates,
): Promise<Meeting[]> => {
  const rows = await db
    .selectFrom('schedule_rule')
    .innerJoin('group', 'group.id', 'schedule_rule.group_id')
    .selectAll('schedule_rule')
    .select([
      'group.name',
      'group.branch_id',
      'group.room',
      'group.teacher_staff_id',
      'group.starts_on',
      'group.ends_on',
    ])
    .where('group.status', 'in', ['planned', 'active'])
    .where((eb) => eb.or([eb('group.ends_on', 'is', null), eb('group.ends_on', '>=', startsOn)]))
    .where((eb) => eb.or([eb('group.starts_on', 'is', null), eb('group.starts_on', '<=', endsOn)]))
    .execute()
  const ids = new Set(former.map(({ id }) => id))
  return rows.flatMap((row): Meeting[] => {
    const rule = toRule(row)
    const validFrom = row.starts_on !== null && row.starts_on > rule.validFrom ? row.starts_on : rule.validFrom
    const validTo =
      row.ends_on !== null && (rule.validTo === null || row.ends_on < rule.validTo) ? row.ends_on : rule.validTo
    if (ids.has(row.group_id) || (validTo !== null && validTo < startsOn) || validFrom > endsOn) return []
    return [
      {
        of: { groupId: row.group_id, name: row.name },
        rule: { ...rule, validFrom, validTo },
        teacherStaffId: row.teacher_staff_id,
        room: roomOf(row),
      },
    ]
  })
}

/** On which days a branch is closed. */
const readClosed = async (
  { whole }: Tx,
  { startsOn, endsOn }: Dates,
): Promise<(branchId: string, day: string) => boolean> => {
  const rows = await whole
    .selectFrom('closure')
    .select(['branch_id', 'from_date', 'to_date'])
    .where('from_date', '<=', endsOn)
    .where('to_date', '>=', startsOn)
    .execute()
  const closed = new Set<string>()
  for (const { branch_id: branchId, from_date: from, to_date: to } of rows) {
    for (let day = from; day <= to && day <= endsOn; day = addDays(day, 1)) closed.add(`${branchId ?? ''} ${day}`)
  }
  return (branchId, day) => closed.has(` ${day}`) || closed.has(`${branchId} ${day}`)
}

/** Who agreed on a price keeps it, where the rule says so. */
export const agreedPrice = (
  rule: NewRollover['priceRule'],
  { priceMinor, currency, isAgreed }: Pick<Candidate, 'priceMinor' | 'currency' | 'isAgreed'>,
): { priceMinor: number; currency: Currency } | undefined =>
  rule === 'keep' && isAgreed ? { priceMinor, currency } : undefined

type Choice = Pick<NewRollover, 'studentIds' | 'except'>

const chooses = ({ studentIds, except }: Choice) => {
  const named = studentIds && new Set(studentIds)
  const excepted = new Set(except.map(({ groupId, studentId }) => `${groupId} ${studentId}`))
  return {
    isNamed: (studentId: string) => named?.has(studentId) ?? false,
    isLeft: (groupId: string, studentId: string) =>
      excepted.has(`${groupId} ${studentId}`) || (named !== undefined && !named.has(studentId)),
  }
}

/** Why each of the students does not go on; the first of them get the places. */
const judge = (group: FormerGroup, candidates: readonly Candidate[], choice: Choice) => {
  const { isNamed, isLeft } = chooses(choice)
  let places = group.capacity ?? Number.POSITIVE_INFINITY
  return candidates.map((candidate) => {
    let leftOut = candidate.obstacle
    if (leftOut === 'paused' && isNamed(candidate.studentId)) leftOut = null
    if (leftOut === null && isLeft(group.id, candidate.studentId)) leftOut = 'not_chosen'
    if (leftOut === null && places === 0) leftOut = 'group_full'
    if (leftOut === null) places -= 1
    return { candidate, leftOut }
  })
}

const lessonsOf = (times: readonly WeeklyRule[], { startsOn, endsOn }: Dates): string[] =>
  times.flatMap((rule) => datesOf(rule, { from: startsOn, until: endsOn }))

/** What becomes of the groups, in their order. */
export const planRollover = async (tx: Tx, groups: readonly FormerGroup[], body: NewRollover): Promise<Plan[]> => {
  const { startsOn, keepTimes, keepTeachers, priceRule } = body
  const ids = groups.map(({ id }) => id)
  const [teachers, rules] = [await readTeachers(tx, groups), keepTimes ? await readTimes(tx, ids) : new Map()]
  const candidates = await readCandidates(tx, groups, startsOn)
  const fees = await recurringFeesOf(tx, ids, startsOn)
  const isClosed = await readClosed(tx, body)
  const nameOf = new Map(body.names.map(({ groupId, name }) => [groupId, name]))
  const plans = groups.map((former): Plan => {
    const teacher = teachers.get(former.teacher_staff_id ?? '')
    const isTaught = keepTeachers && teacher?.isActive === true
    const times = newTimes(rules.get(former.id), former, startsOn)
    const lessons = lessonsOf(times, body)
    const closedLessons = lessons.filter((day) => isClosed(former.branch_id, day)).length
    const students = judge(former, candidates.get(former.id) ?? [], body).map(({ candidate, leftOut }) => ({
      studentId: candidate.studentId,
      name: candidate.name,
      leftOut,
      ...(agreedPrice(priceRule, candidate) ?? { priceMinor: former.fee_minor ?? 0, currency: former.currency }),
    }))
    const told: RolloverGroup = {
      groupId: former.id,
      formerName: former.name,
      newGroupId: null,
      name: nameOf.get(former.id) ?? nextName(former.name, body),
      courseName: former.course_name,
      branchId: former.branch_id,
      endsOn: lastDayOf(former, startsOn),
      teacher: teacher ? { staffId: former.teacher_staff_id as string, name: teacher.name, isKept: isTaught } : null,
      times: times.map(({ weekday, startTime, endTime }) => ({ weekday, startTime, endTime })),
      lessons: lessons.length - closedLessons,
      closedLessons,
      clashes: [],
      fees: (fees.get(former.id) ?? []).map(({ name }) => name),
      capacity: former.capacity,
      kept: students.filter(({ leftOut }) => leftOut === null).length,
      students,
    }
    return { former, told, times, teacherStaffId: isTaught ? former.teacher_staff_id : null }
  })
  await addClashes(tx, plans, body)
  return plans
}

const addClashes = async (tx: Tx, plans: readonly Plan[], dates: Dates): Promise<void> => {
  const others = await readOthers(
    tx,
    plans.map(({ former }) => former),
    dates,
  )
  const meetings = plans.map(({ former, told, times, teacherStaffId }) =>
    times.map((rule): Meeting => ({
      of: { groupId: null, name: told.name },
      rule: { ...rule, validTo: dates.endsOn },
      teacherStaffId,
      room: roomOf(former),
    })),
  )
  for (const [index, { told }] of plans.entries()) {
    const rest = [...others, ...meetings.flatMap((of, at) => (at === index ? [] : of))]
    told.clashes = (meetings[index] ?? []).flatMap((meeting) => clashesOf(meeting, rest))
  }
}
