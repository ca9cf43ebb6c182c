import { found } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import { localDate } from '#kernel/time/zone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Row } from '#runtime/records/records.ts'
import { runnableSchedules } from './plan.ts'
import { readPricing, type Priced, type Pricing } from './pricing.ts'
import { rulesOf } from './rules.ts'
import type { Price, Prices } from './price-schemas.ts'
import { readFamilies } from './siblings.ts'

interface Asked {
  whole: ScopedDb
  tenant: TenantInfo
  now: string
  query: { month?: string | undefined }
}

const chargeOf = (priced: Priced): Price['charge'] => {
  const { currency, amountMinor, fullMinor, part, taken, discountMinor, siblingPlace, description } = priced
  return {
    priceOf: priced.priceOf,
    full: money(fullMinor, currency),
    part: part && part.count < part.all ? part : null,
    charged: money(amountMinor, currency),
    discounts: taken.map(({ id, kind, label, hundredths, offMinor }) => ({
      discountId: id,
      kind,
      label,
      percent: hundredths === null ? null : hundredths / 100,
      off: money(offMinor, currency),
    })),
    discount: money(discountMinor, currency),
    total: money(amountMinor - discountMinor, currency),
    siblingPlace,
    description,
  }
}

/** Whether a run would charge it now, else why not. */
const stateOf = (
  { studentId, month, schedule }: { studentId: string; month: string; schedule: Row<'fee_schedule'> },
  priced: NonNullable<ReturnType<Pricing['priceOf']>>,
  { billed }: Pricing,
): Price['state'] => {
  if ('reason' in priced) return priced.reason
  if (billed.charge(studentId, schedule.id, month, priced.period)) return 'already_billed'
  if (billed.byHand(studentId, schedule.id, priced.period)) return 'invoiced_by_hand'
  return priced.discountMinor === priced.amountMinor ? 'no_price' : 'due'
}

const namesOfGroups = async (whole: ScopedDb, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await whole.selectFrom('group').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const namesOfCourses = async (whole: ScopedDb, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await whole.selectFrom('course').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What each fee charges a student for a month, and why. The student is within the caller’s reach. */
const pricesOf = async (
  { whole, tenant, now, query }: Asked,
  student: { id: string; branch_id: string },
): Promise<Prices> => {
  const today = localDate(now, tenant.timezone)
  const month = query.month ?? today.slice(0, 7)
  const rules = await rulesOf({ whole, tenant, today })
  const families = await readFamilies(whole, { studentIds: [student.id] })
  const ids = [...new Set([student.id, ...[...families.childrenOf.values()].flat()])]
  const students = await whole.selectFrom('student').select(['id', 'branch_id']).where('id', 'in', ids).execute()
  const schedules = await runnableSchedules(whole)
  const pricing = await readPricing(whole, { students, families, schedules, month, rules, isCharged: false })
  const judged = schedules.flatMap((schedule) => {
    const priced = pricing.priceOf(student.id, schedule)
    return priced ? [{ schedule, priced }] : []
  })
  const enrollmentIds = judged.flatMap(({ priced }) => priced.enrollmentId ?? [])
  const enrolled =
    enrollmentIds.length === 0
      ? []
      : await whole.selectFrom('enrollment').select(['id', 'group_id']).where('id', 'in', enrollmentIds).execute()
  const groupOf = new Map(enrolled.map((row) => [row.id, row.group_id]))
  const groups = await namesOfGroups(whole, [...new Set(groupOf.values())])
  const courseIds = judged.flatMap(({ schedule }) => (schedule.kind === 'per_course' ? (schedule.course_id ?? []) : []))
  const courses = await namesOfCourses(whole, courseIds)
  const prices = judged.map(({ schedule, priced }): Price => {
    const groupId = groupOf.get(priced.enrollmentId ?? '') ?? null
    const courseId = schedule.kind === 'per_course' ? schedule.course_id : null
    return {
      feeScheduleId: schedule.id,
      feeName: schedule.name,
      enrollmentId: priced.enrollmentId ?? null,
      courseEnrollmentId: ('courseEnrollmentId' in priced && priced.courseEnrollmentId) || null,
      groupId,
      groupName: groupId === null ? null : (groups.get(groupId) ?? null),
      courseId,
      courseName: courseId === null ? null : (courses.get(courseId) ?? null),
      state: stateOf({ studentId: student.id, month, schedule }, priced, pricing),
      charge: 'reason' in priced ? null : chargeOf(priced),
    }
  })
  return { studentId: student.id, month, prices }
}

type Reached = Asked & { db: ScopedDb; params: { id: string } }

/** @throws NotFound */
export const pricesOfStudent = async ({ db, params, ...asked }: Reached): Promise<Prices> =>
  pricesOf(
    asked,
    found(await db.selectFrom('student').select(['id', 'branch_id']).where('id', '=', params.id).executeTakeFirst()),
  )

/** What is charged for one place in a group. @throws NotFound */
export const pricesOfEnrollment = async ({ db, params, ...asked }: Reached): Promise<Prices> => {
  const { student_id: studentId } = found(
    await db.selectFrom('enrollment').select('student_id').where('id', '=', params.id).executeTakeFirst(),
  )
  const student = asked.whole.selectFrom('student').select(['id', 'branch_id']).where('id', '=', studentId)
  const { prices, ...about } = await pricesOf(asked, await student.executeTakeFirstOrThrow())
  return { ...about, prices: prices.filter(({ enrollmentId }) => enrollmentId === params.id) }
}
