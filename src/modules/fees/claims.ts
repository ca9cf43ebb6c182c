import { forNoKeyUpdate } from '#db/dialect.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Currency } from '#kernel/values/money.ts'
import { localDate } from '#kernel/time/zone.ts'
import { courseGrantsOf, type CourseGrant } from '#modules/curriculum/index.ts'
import { pausesOf } from '#modules/people/index.ts'
import { chargedLessons } from '#modules/sessions/index.ts'
import type { Row } from '#runtime/records/records.ts'
import { daysInForce, EVER, within, type Absence, type Days, type Span, type Stay } from './in-force.ts'
import { daysPart, lessonsPart, priceOfPart, type Part } from './part.ts'

type Schedule = Row<'fee_schedule'>

/** Why a student is charged by a schedule, and how much, before discounts. */
export interface Claim {
  /** What the part that is charged costs, and what all of it would. */
  amountMinor: number
  fullMinor: number
  currency: Currency
  /** Whose price it is, that of the schedule or what was agreed with the student. */
  priceOf: Schedule['price']
  /** The first day that it is charged for. */
  from: string
  /** The first day on which the student belongs to what is charged, in whatever month. */
  beginsOn: string
  groupId: string | null
  courseId: string | null
  /** The branch whose invoice it is: the student’s, and for who left since that of the group. */
  branchId: string
  enrollmentId?: string
  courseEnrollmentId?: string
  /** Left out: it is charged in full, whatever part of the time it is. */
  part?: Part | undefined
}

/** Somebody who is not charged. */
export interface NoClaim {
  branchId: string
  enrollmentId?: string
  reason: Absence | 'no_price'
}

/** undefined: the schedule has nothing to do with the student. */
export type Claims = (studentId: string, schedule: Schedule, period: Span) => Claim | NoClaim | undefined

interface Asked {
  students: readonly { id: string; branch_id: string }[]
  schedules: readonly Schedule[]
  timezone: string
  today: string
  /** The days of the billed month. */
  month: Span
  /** What ended before this day is not looked at. */
  lookedAtFrom: string
  /** Whether it is about to be charged: nobody then changes the enrollments meanwhile. */
  isCharged: boolean
}

type Group = Pick<Row<'group'>, 'id' | 'course_id' | 'branch_id' | 'status' | 'status_since' | 'starts_on' | 'ends_on'>

/** An enrollment with its group. */
interface Enrolled {
  row: Row<'enrollment'>
  group: Group
  stay: Omit<Stay, 'pauses'>
}

const cancelledFromOf = ({ status, status_since: since }: Group, timezone: string): string | null => {
  if (status !== 'cancelled') return null
  return since === null ? EVER : localDate(since, timezone)
}

const stayOf = (row: Row<'enrollment'>, group: Group, { timezone, today }: Asked): Enrolled['stay'] => {
  const end = row.dropped_at ?? row.completed_at ?? row.ended_at
  const to = end === null ? null : localDate(end, timezone)
  const isCompleted = group.status === 'completed'
  // Who is enrolled still in a completed group was left there: it is over, at the latest on the day of its end.
  const isOver = isCompleted && row.status === 'active' && (group.ends_on === null || group.ends_on >= today)
  const endsWithStay = isCompleted && row.status === 'completed' && to !== null
  const groupTo = endsWithStay && (group.ends_on === null || to < group.ends_on) ? to : group.ends_on
  return {
    from: localDate(row.enrolled_at, timezone),
    to,
    group: { from: group.starts_on, to: groupTo, isOver, cancelledFrom: cancelledFromOf(group, timezone) },
  }
}

/** The enrollments of each student, the latest first. */
const readEnrolled = async (whole: ScopedDb, asked: Asked): Promise<ReadonlyMap<string, readonly Enrolled[]>> => {
  const ids = asked.students.map(({ id }) => id)
  const all = whole.selectFrom('enrollment').selectAll().where('student_id', 'in', ids)
  const ordered = all.orderBy('id')
  const rows = await (asked.isCharged ? forNoKeyUpdate(whole, ordered) : ordered).execute()
  const groupIds = [...new Set(rows.map(({ group_id }) => group_id))]
  const groups =
    groupIds.length === 0
      ? []
      : await whole
          .selectFrom('group')
          .select(['id', 'course_id', 'branch_id', 'status', 'status_since', 'starts_on', 'ends_on'])
          .where('id', 'in', groupIds)
          .execute()
  const groupOf = new Map(groups.map((group) => [group.id, group]))
  const isRecent = (to: string | null): boolean => to === null || to >= asked.lookedAtFrom
  const enrolled = rows
    .map((row) => {
      const group = groupOf.get(row.group_id) as Group
      return { row, group, stay: stayOf(row, group, asked) }
    })
    .filter(({ stay }) => isRecent(stay.to) && isRecent(stay.group.to))
    .toSorted(({ row: one }, { row: other }) =>
      `${one.enrolled_at} ${one.id}` > `${other.enrolled_at} ${other.id}` ? -1 : 1,
    )
  return Map.groupBy(enrolled, ({ row }) => row.student_id)
}

const isOf = ({ group_id: groupId, course_id: courseId }: Schedule, { group }: Enrolled): boolean =>
  groupId === null ? courseId === group.course_id : groupId === group.id

const priceOf = (schedule: Schedule, { row }: Enrolled): Pick<Claim, 'fullMinor' | 'currency' | 'priceOf'> =>
  schedule.price === 'enrollment' || row.price_overridden
    ? { fullMinor: row.price_minor, currency: row.currency, priceOf: 'enrollment' }
    : { fullMinor: schedule.amount_minor, currency: schedule.currency, priceOf: 'schedule' }

interface About {
  branchId: string
  pauses: readonly Days[]
  period: Span
}

type PartOf = (schedule: Schedule, groupId: string, days: readonly Span[]) => Part | undefined

/** Reads on which days of the month the groups have lessons. */
const readParts = async (
  whole: ScopedDb,
  groupIds: readonly string[],
  { schedules, timezone, month }: Asked,
): Promise<PartOf> => {
  const isByLessons = schedules.some(({ proration }) => proration === 'lessons')
  const lessonsOf = await chargedLessons(whole, { groupIds: isByLessons ? groupIds : [], days: month, timezone })
  return ({ proration }, groupId, days) => {
    if (proration === 'none') return undefined
    return proration === 'days' ? daysPart(month, days) : lessonsPart(lessonsOf(groupId), days)
  }
}

/** Of the enrollments in the groups of a schedule the latest in force counts; where none is in force, the latest says why. */
const claimOf = (
  schedule: Schedule,
  enrolled: readonly Enrolled[],
  { branchId, pauses, period, partOf }: About & { partOf: PartOf },
): Claim | NoClaim | undefined => {
  const judged = enrolled
    .filter((one) => isOf(schedule, one))
    .map((one) => ({ one, days: daysInForce(period, { ...one.stay, pauses }) }))
  const counted = judged.find(({ days }) => typeof days !== 'string') ?? judged[0]
  if (!counted) return undefined
  const { one, days } = counted
  const ofBranch = one.row.status === 'active' ? branchId : one.group.branch_id
  const ofEnrollment = { branchId: ofBranch, enrollmentId: one.row.id }
  if (typeof days === 'string') return { ...ofEnrollment, reason: days }
  const price = priceOf(schedule, one)
  const part = partOf(schedule, one.group.id, days)
  const amountMinor = part ? priceOfPart(price.fullMinor, part) : price.fullMinor
  if (amountMinor === 0) return { ...ofEnrollment, reason: 'no_price' }
  const { id: groupId, course_id: courseId } = one.group
  const { from: enrolledOn, group } = one.stay
  const beginsOn = group.from !== null && group.from > enrolledOn ? group.from : enrolledOn
  return { ...ofEnrollment, ...price, amountMinor, part, from: days[0]?.from as string, beginsOn, groupId, courseId }
}

const claimOfGrant = (
  schedule: Schedule,
  grant: CourseGrant | undefined,
  { branchId, pauses, period, timezone }: About & { timezone: string },
): Claim | NoClaim | undefined => {
  if (!grant) return undefined
  const group = { from: null, to: null, isOver: false, cancelledFrom: null }
  const beginsOn = localDate(grant.grantedAt, timezone)
  const days = daysInForce(period, { from: beginsOn, to: null, group, pauses })
  if (typeof days === 'string') return { branchId, reason: days }
  const { amount_minor: amountMinor, currency, course_id: courseId } = schedule
  if (amountMinor === 0) return { branchId, reason: 'no_price' }
  const price = { amountMinor, fullMinor: amountMinor, currency, priceOf: 'schedule' as const }
  const from = days[0]?.from as string
  return { ...price, branchId, courseEnrollmentId: grant.id, from, beginsOn, groupId: null, courseId }
}

/** Finds what the students attended and attend. */
export const readClaims = async (whole: ScopedDb, asked: Asked): Promise<Claims> => {
  const { students, schedules, timezone } = asked
  const ids = students.map(({ id }) => id)
  const branchOf = new Map(students.map(({ id, branch_id }) => [id, branch_id]))
  const enrolled = await readEnrolled(whole, asked)
  const pausesBy = await pausesOf(whole, ids)
  const courseIds = schedules.flatMap(({ kind, course_id }) => (kind === 'per_course' && course_id ? [course_id] : []))
  const grants = await courseGrantsOf(whole, courseIds, ids)
  const groupIds = [...enrolled.values()].flatMap((own) => own.map(({ group }) => group.id))
  const partOf = await readParts(whole, [...new Set(groupIds)], asked)
  return (studentId, schedule, charged) => {
    const period = within(charged, { from: schedule.valid_from, to: schedule.valid_to })
    if (!period) return undefined
    const about = { branchId: branchOf.get(studentId) as string, pauses: pausesBy.get(studentId) ?? [], period }
    if (schedule.kind !== 'per_course') return claimOf(schedule, enrolled.get(studentId) ?? [], { ...about, partOf })
    const grant = grants.find((one) => one.studentId === studentId && one.courseId === schedule.course_id)
    return claimOfGrant(schedule, grant, { ...about, timezone })
  }
}
