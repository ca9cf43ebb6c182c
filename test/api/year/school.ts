import type { Chance } from './chance.ts'
import { plusDays } from './days.ts'
import type { Desk } from './desk.ts'
import type { Fee, Rule } from './facts.ts'
import { addFee } from './money.ts'
import { addStudent, enroll, groupsFor } from './people.ts'
import { addGroup, close } from './teaching.ts'

/** How an office sets up its year in August. */

export interface Size {
  students: number
  groups: number
}

export const FIRST_DAY = '2026-08-20'
export const LAST_DAY = '2027-07-04'
export const TERMS = [
  { name: 'Autumn', startsOn: '2026-09-01' },
  { name: 'Spring', startsOn: '2027-02-01' },
]
const END_OF_AUTUMN = '2027-01-31'
const END_OF_SPRING = '2027-06-30'
const COURSES = 5
const HOURS = ['15:00', '16:30', '18:00'] as const
const validFrom = '2026-08-01'

/** They meet where the clocks go back, on a Sunday, and forward, on a Friday. */
const NIGHTS: Rule[] = [
  { weekday: 0, startTime: '01:15', endTime: '01:45', validFrom, validTo: null },
  { weekday: 5, startTime: '02:15', endTime: '02:45', validFrom, validTo: null },
]

const weeklyTimes = (chance: Chance): Rule[] => {
  const startTime = chance.one(HOURS)
  const endTime = `${Number(startTime.slice(0, 2)) + 1}${startTime.slice(2)}`
  const weekdays = chance.some([0, 1, 2, 3, 4], chance.int(1, 3))
  return weekdays.map((weekday) => ({ weekday, startTime, endTime, validFrom, validTo: null }))
}

const addGroups = async (
  desk: Desk,
  chance: Chance,
  { count, term, courses }: { count: number; term: 1 | 2; courses: readonly string[] },
): Promise<void> => {
  for (let nth = 0; nth < count; nth += 1) {
    // One pays in dollars, and that one alone.
    const isForeign = term === 1 && nth === 1
    const isWholeYear = term === 1 && nth % 2 === 0
    await addGroup(desk, {
      name: `Group ${term}-${nth}`,
      course: isForeign ? (courses[COURSES - 1] as string) : chance.one(courses.slice(0, -1)),
      branch: chance.one(desk.school.branches),
      startsOn: plusDays(term === 1 ? '2026-09-01' : '2027-02-01', chance.one([0, 0, 1, 6, 13])),
      endsOn: term === 1 && !isWholeYear ? END_OF_AUTUMN : END_OF_SPRING,
      feeMinor: chance.int(200, 600) * 100 + chance.one([0, 1, 50]),
      currency: isForeign ? 'USD' : 'ILS',
      rules: term === 1 && nth === 0 ? NIGHTS : weeklyTimes(chance),
    })
  }
}

const addFees = async (desk: Desk, chance: Chance, courses: readonly string[]): Promise<void> => {
  const fee: Omit<Fee, 'id' | 'name' | 'amountMinor'> = {
    currency: 'ILS',
    recurrence: 'monthly',
    group: null,
    dueDay: null,
    price: 'schedule',
    proration: 'none',
    course: null,
    validFrom: null,
    validTo: null,
  }
  const kinds = ['none', 'lessons', 'days', 'lessons'] as const
  for (const [nth, course] of courses.slice(0, -1).entries()) {
    await addFee(desk, {
      ...fee,
      course,
      name: `Tuition ${nth}`,
      amountMinor: chance.int(30_000, 60_000),
      dueDay: chance.one([null, 5, 10, 31]),
      proration: kinds[nth % 4] as Fee['proration'],
      price: nth % 2 === 0 ? 'enrollment' : 'schedule',
    })
  }
  const dollars = courses.at(-1) as string
  await addFee(desk, {
    ...fee,
    course: dollars,
    currency: 'USD',
    name: 'Tuition',
    amountMinor: 9_999,
    proration: 'days',
  })
  const [first, second] = courses as [string, string]
  await addFee(desk, { ...fee, course: first, name: 'Books', amountMinor: 12_000, recurrence: 'per_term' })
  await addFee(desk, {
    ...fee,
    course: second,
    name: 'Meals',
    amountMinor: 21_005,
    proration: 'days',
    validFrom: '2026-10-12',
    validTo: '2027-05-20',
  })
  const [group] = desk.school.groups
  if (group) await addFee(desk, { ...fee, group: group.id, name: 'Lab', amountMinor: 7_777, proration: 'lessons' })
}

const addFamilies = async (desk: Desk, chance: Chance, students: number): Promise<void> => {
  let made = 0
  while (made < students) {
    const phone = `+97252${1_000_000 + made}`
    const guardian = { firstName: 'Rana', lastName: `Haddad ${made}`, phone, preferredLocale: 'en' }
    const payer = chance.percent(85) ? ((await desk.ask('POST', '/guardians', guardian)).id as string) : null
    const children = chance.one([1, 1, 2, 2, 3, 4])
    for (let child = 0; child < children && made < students; child += 1) {
      await addStudent(desk, made, payer)
      made += 1
    }
  }
}

const enrollAll = async (desk: Desk, chance: Chance): Promise<void> => {
  for (const student of desk.school.students) {
    // Some are enrolled late.
    if (chance.percent(15)) continue
    for (const group of chance.some(groupsFor(desk, student), chance.one([1, 1, 2]))) {
      const day = chance.one([undefined, group.startsOn, plusDays(group.startsOn, chance.int(0, 40)), '2026-08-15'])
      const priceMinor = chance.percent(20) ? chance.int(100, 500) * 100 + 1 : undefined
      await enroll(desk, student, group, { day, priceMinor })
    }
  }
}

/** @returns the courses */
export const foundSchool = async (desk: Desk, chance: Chance, { students, groups }: Size): Promise<string[]> => {
  desk.school.terms = TERMS
  await desk.ask('PATCH', '/settings', { terms: TERMS })
  desk.school.branches.push((await desk.ask('POST', '/branches', { name: 'North' })).id)
  const categoryId = (await desk.ask('POST', '/course-categories', { name: 'All', slug: 'all' })).id
  const courses: string[] = []
  for (let nth = 0; nth < COURSES; nth += 1) {
    courses.push((await desk.ask('POST', '/courses', { categoryId, name: `Course ${nth}` })).id)
  }
  // Some closed days are known before there are groups, others are said when their lessons are there.
  const [, north] = desk.school.branches as [string, string]
  const sukkot = { name: 'Sukkot', from: '2026-09-26', to: '2026-10-03', branch: null, isBilled: chance.percent(50) }
  await close(desk, sukkot)
  await addGroups(desk, chance, { count: groups, term: 1, courses })
  await close(desk, { name: 'Christmas', from: '2026-12-24', to: '2026-12-26', branch: north, isBilled: false })
  await close(desk, {
    name: 'Passover',
    from: '2027-04-18',
    to: '2027-04-28',
    branch: null,
    isBilled: chance.percent(50),
  })
  await addFees(desk, chance, courses)
  await addFamilies(desk, chance, students)
  await enrollAll(desk, chance)
  return courses
}

/** The groups of the second term, for those whose groups of the first are over. */
export const secondTerm = async (
  desk: Desk,
  chance: Chance,
  { groups, courses }: { groups: number; courses: readonly string[] },
): Promise<void> => {
  await addGroups(desk, chance, { count: groups, term: 2, courses })
  for (const student of desk.school.students.filter(({ status }) => status === 'active')) {
    if (chance.percent(50)) continue
    for (const group of chance.some(groupsFor(desk, student), 1))
      await enroll(desk, student, group, { day: group.startsOn })
  }
}
