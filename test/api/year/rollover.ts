import type { Chance } from './chance.ts'
import { apart, differences } from './compare.ts'
import { instantOf } from './days.ts'
import type { Desk } from './desk.ts'
import type { Group } from './facts.ts'
import { meets, plan } from './lessons.ts'
import { expectedNext, type Choice, type NextGroup } from './next-year.ts'
import { keepEnrollment } from './people.ts'
import { stand } from './teaching.ts'

/** What the office does so that its groups go on in a new year. */

/** Gives some groups a teacher and some fewer places than they have students, and lets one teacher go. @returns who teaches still */
export const prepareNextYear = async (desk: Desk, chance: Chance): Promise<ReadonlySet<string>> => {
  const { groups, branches, enrollments } = desk.school
  const staff: string[] = []
  for (const lastName of ['Nasser', 'Levi', 'Haddad']) {
    const person = { branchId: branches[0], firstName: 'Tamar', lastName }
    staff.push((await desk.ask('POST', '/staff', person)).id)
  }
  for (const group of groups) {
    const teacher = chance.one([null, ...staff])
    const most = enrollments.filter((one) => one.group === group.id).length
    const capacity = chance.percent(30) ? Math.max(1, Math.floor(most / 2)) : null
    await desk.ask('PATCH', `/groups/${group.id}`, { teacherStaffId: teacher, capacity })
    Object.assign(group, { teacher, capacity })
  }
  const [gone, ...active] = staff
  await desk.ask('PATCH', `/staff/${gone}`, { isActive: false })
  return new Set(active)
}

const DAYS = { startsOn: '2027-09-01', endsOn: '2028-06-30' }

const choose = ({ school }: Desk, chance: Chance, groups: readonly Group[]): Choice => {
  const own = school.enrollments.filter(({ group }) => groups.some(({ id }) => id === group))
  const paused = school.students.filter(({ status }) => status === 'paused').map(({ id }) => id)
  const most = own.map(({ student }) => student).filter(() => chance.percent(80))
  return {
    ...DAYS,
    keepTimes: chance.percent(75),
    keepTeachers: chance.percent(60),
    priceRule: chance.one(['keep', 'group_default']),
    studentIds: chance.percent(40) ? [...new Set([...most, ...chance.some(paused, 3)])] : null,
    except: chance.some(own, 3).map(({ group: groupId, student: studentId }) => ({ groupId, studentId })),
  }
}

const textOf = ({ former, times, lessons, closedLessons, students }: NextGroup): string[] => {
  const kept = students.filter(({ leftOut }) => leftOut === null).length
  const hours = times.map(({ weekday, startTime, endTime }) => `${weekday} ${startTime} ${endTime}`).toSorted()
  return [
    `${former.id} until ${former.endsOn}, ${hours.join(', ')}: ${lessons} lessons, ${closedLessons} closed, ${kept} kept`,
    ...students.map((one) => `${former.id} ${one.student} ${one.leftOut} ${one.priceMinor} ${former.currency}`),
  ]
}

// oxlint-disable-next-line typescript/no-explicit-any -- as the program answers
const toldOf = (groups: any[]): string[] =>
  groups.flatMap(({ groupId, endsOn, times, lessons, closedLessons, kept, students }) => {
    const hours = times.map((one: NextGroup['times'][number]) => `${one.weekday} ${one.startTime} ${one.endTime}`)
    return [
      `${groupId} until ${endsOn}, ${hours.toSorted().join(', ')}: ${lessons} lessons, ${closedLessons} closed, ${kept} kept`,
      ...students.map(
        (one: { studentId: string; leftOut: string | null; priceMinor: number; currency: string }) =>
          `${groupId} ${one.studentId} ${one.leftOut} ${one.priceMinor} ${one.currency}`,
      ),
    ]
  })

/** Keeps the new group as the rules have it. The ids alone are the program's. @returns what is otherwise there */
const keepNext = async (desk: Desk, next: NextGroup, { id, choice }: { id: string; choice: Choice }) => {
  const { school, today, now } = desk
  const { former, students, teacher } = next
  const { startsOn, endsOn } = choice
  const group: Group = {
    ...former,
    id,
    ...DAYS,
    status: startsOn > today ? 'planned' : 'active',
    closedOn: null,
    teacher,
    former: former.id,
    rules: next.times.map((times) => ({ ...times, validFrom: startsOn, validTo: null })),
    lessons: [],
  }
  school.groups.push(group)
  plan(school, group, now)
  const rows = await desk.all(`/groups/${id}/enrollments`)
  const since = instantOf(startsOn, '00:00', school.zone)
  const going = students.filter(({ leftOut }) => leftOut === null)
  const expected = going.map((one) => `${one.student} active ${one.priceMinor} ${former.currency} since ${since}`)
  const told = rows.map(
    (row) => `${row.studentId} ${row.status} ${row.priceMinor} ${row.currency} since ${row.enrolledAt}`,
  )
  for (const { student, priceMinor, isAgreed } of going) {
    const row = rows.find(({ studentId }) => studentId === student)
    if (row) keepEnrollment(desk, { id: row.id, priceMinor }, { student, group, day: startsOn, isAgreed })
  }
  return [
    ...apart(expected, told),
    ...(await differingFields(desk, group, { startsOn, endsOn })),
    ...(await continueFees(desk, former, group)),
  ]
}

const differingFields = async (desk: Desk, group: Group, dates: { startsOn: string; endsOn: string }) => {
  const told = await desk.ask('GET', `/groups/${group.id}`)
  const { course: courseId, branch: branchId, teacher: teacherStaffId, capacity, feeMinor, currency, status } = group
  const expected = { courseId, branchId, teacherStaffId, capacity, feeMinor, currency, status, ...dates }
  return Object.entries(expected).flatMap(([field, value]) =>
    told[field] === value ? [] : [`${field} is ${told[field]}, and not ${value}`],
  )
}

/** The fees of the former group go on for the new one, from its first day. */
const continueFees = async (desk: Desk, former: Group, group: Group): Promise<string[]> => {
  const { fees } = desk.school
  const own = fees.filter((fee) => fee.group === former.id)
  const rows = await desk.all('/fee-schedules')
  const made = rows.filter(({ groupId }) => groupId === group.id)
  for (const fee of own) {
    const row = made.find(({ name }) => name === fee.name)
    if (row) fees.push({ ...fee, id: row.id, group: group.id, validFrom: group.startsOn, validTo: null })
  }
  return made.length === own.length ? [] : [`${made.length} fees go on, and not ${own.length}`]
}

/** What becomes of groups that go on when a day has come: the former ones are over, and the new ones begin. */
export const turnTheYear = (desk: Desk): void => {
  const { school, today } = desk
  for (const next of school.groups.filter(({ former }) => former !== null)) {
    const former = school.groups.find(({ id }) => id === next.former)
    if (former && meets(former) && former.endsOn < today) stand(desk, former, 'completed')
    if (next.status === 'planned' && next.startsOn <= today) stand(desk, next, 'active')
  }
}

/** Of two desks that ask for the same at the same moment, one is refused. @returns what the other got */
const askTwice = async (desk: Desk, body: object) => {
  const asked = await Promise.all([desk.send('/groups/rollover', body), desk.send('/groups/rollover', body)])
  const [done, ...others] = asked.filter(({ status }) => status < 300)
  const reasons = asked.filter(({ status }) => status >= 300).map((reply) => reply.body.error.details?.reason)
  const found =
    others.length === 0 && reasons.join('') === 'already_rolled_over' ? [] : [`twice: ${reasons.join(', ')}`]
  return { reply: done?.body, found }
}

/** Lets groups go on. @returns what is not as the rules say */
export const rollOver = async (
  desk: Desk,
  chance: Chance,
  { groups, activeStaff }: { groups: readonly Group[]; activeStaff: ReadonlySet<string> },
): Promise<string[]> => {
  if (groups.length === 0) return []
  const { school, today } = desk
  const choice = choose(desk, chance, groups)
  const { studentIds, ...fields } = choice
  const body = { ...fields, groupIds: groups.map(({ id }) => id), ...(studentIds && { studentIds }) }
  const expected = expectedNext(school, groups, { choice, activeStaff, today })
  const texts = expected.flatMap(textOf)
  const rehearsed = await desk.ask('POST', '/groups/rollover', { ...body, dryRun: true })
  const found = apart(texts, toldOf(rehearsed.groups)).map((one) => `asked only, ${one}`)
  const { reply, found: twice } = await askTwice(desk, body)
  found.push(...twice)
  if (reply) {
    found.push(...apart(texts, toldOf(reply.groups)))
    await desk.drain()
    for (const next of expected) {
      const { newGroupId: id } = reply.groups.find(({ groupId }: { groupId: string }) => groupId === next.former.id)
      found.push(...differences(`${next.former.id} as ${id}`, await keepNext(desk, next, { id, choice })))
    }
    turnTheYear(desk)
  }
  return differences(`${today}: a new year`, found)
}
