import { money } from '#kernel/values/money.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { courseGrantsOf } from '#modules/curriculum/index.ts'
import { found } from '#kernel/values/errors.ts'
import type { Row } from '#runtime/records/records.ts'
import { daysPart, lessonsPart, priceOfPart, type Part } from './part.ts'
import { endOfMonth } from './period.ts'
import { chargedBy } from './charged-by.ts'
import type { FeeConsequences } from './schemas.ts'

type Schedule = Row<'fee_schedule'>

const monthAfter = (month: string): string => addDays(`${month}-28`, 4).slice(0, 7)

const activeOf = ({ whole }: Tx, { group_id: groupId, course_id: courseId }: Schedule) => {
  const active = whole
    .selectFrom('enrollment')
    .innerJoin('group', 'group.id', 'enrollment.group_id')
    .where('enrollment.status', '=', 'active')
  return groupId === null
    ? active.where('group.course_id', '=', courseId as string)
    : active.where('group.id', '=', groupId)
}

/** Whom runs look at by the schedule, and for how many of them another price was agreed. */
const countStudents = async (tx: Tx, row: Schedule): Promise<Pick<FeeConsequences, 'students' | 'ownPrices'>> => {
  if (row.group_id === null && row.course_id === null) return { students: 0, ownPrices: 0 }
  if (row.kind === 'per_course') {
    const grants = row.course_id === null ? [] : await courseGrantsOf(tx.whole, [row.course_id])
    return { students: grants.length, ownPrices: 0 }
  }
  if (row.kind !== 'per_group') return { students: 0, ownPrices: 0 }
  const enrolled = await activeOf(tx, row)
    .select(['enrollment.student_id', 'enrollment.price_overridden'])
    .distinct()
    .execute()
  const own = enrolled.filter(({ price_overridden: isOwn }) => isOwn)
  const countOf = (rows: typeof enrolled) => new Set(rows.map(({ student_id: id }) => id)).size
  return { students: countOf(enrolled), ownPrices: countOf(own) }
}

/** The first month that a run has yet to charge. */
const firstMonth = async ({ whole, today }: Tx, { id, valid_from: validFrom }: Schedule): Promise<string> => {
  const { last } = await whole
    .selectFrom('fee_charge')
    .select(({ fn }) => fn.max<string | null>('month').as('last'))
    .where('fee_schedule_id', '=', id)
    .executeTakeFirstOrThrow()
  const months = [today.slice(0, 7), validFrom?.slice(0, 7) ?? '', last === null ? '' : monthAfter(last)]
  return months.toSorted().at(-1) as string
}

/** What an example is about that no group has lessons for. */
const LESSONS = 8
/** Of a month, somebody of the example is there for this part. */
const SHARE = 3 / 8

const shareOf = (days: readonly string[]): readonly string[] =>
  days.slice(-Math.max(1, Math.round(days.length * SHARE)))

/** The lessons of a month of the group that has most of them. */
const lessonsIn = async (tx: Tx, row: Schedule, month: string): Promise<string[]> => {
  const { whole, tenant } = tx
  const { group_id: groupId, course_id: courseId } = row
  const sessions = await whole
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .select(['session.group_id', 'session.scheduled_start'])
    .where('session.status', '!=', 'cancelled')
    .where('session.scheduled_start', '>=', startOfLocalDay(`${month}-01`, tenant.timezone))
    .where('session.scheduled_start', '<', startOfLocalDay(addDays(endOfMonth(month), 1), tenant.timezone))
    .$if(groupId !== null, (query) => query.where('group.id', '=', groupId as string))
    .$if(groupId === null, (query) => query.where('group.course_id', '=', courseId as string))
    .orderBy('session.scheduled_start')
    .execute()
  const [most = []] = [...Map.groupBy(sessions, (one) => one.group_id).values()].toSorted(
    (one, other) => other.length - one.length,
  )
  return most.map(({ scheduled_start: start }) => localDate(start, tenant.timezone))
}

const partOf = async (tx: Tx, row: Schedule, month: string): Promise<Part | null> => {
  if (row.proration === 'none') return null
  const span = { from: `${month}-01`, to: endOfMonth(month) }
  if (row.proration === 'days') return daysPart(span, [{ from: addDays(span.to, -9), to: span.to }])
  const known = await lessonsIn(tx, row, month)
  const lessons = known.length > 0 ? known : Array.from({ length: LESSONS }, (_, at) => addDays(span.from, at))
  const [from = span.from] = shareOf(lessons)
  return lessonsPart(
    lessons.map((day) => ({ day, isCharged: true })),
    [{ from, to: span.to }],
  )
}

/** What somebody pays for a month: of a price that was agreed, that of most, or of the group. */
const priceFor = async (tx: Tx, row: Schedule): Promise<number> => {
  if (row.price === 'schedule' || (row.group_id === null && row.course_id === null)) return row.amount_minor
  const prices = await activeOf(tx, row).select('enrollment.price_minor').orderBy('enrollment.id').limit(1).execute()
  return prices[0]?.price_minor ?? row.amount_minor
}

/** What a schedule, as it is written in this transaction, comes to; it is taken back. @throws NotFound */
export const feeConsequences = async (tx: Tx, id: string): Promise<Rehearsed<FeeConsequences>> => {
  const row = found(await tx.whole.selectFrom('fee_schedule').selectAll().where('id', '=', id).executeTakeFirst())
  const fromMonth = await firstMonth(tx, row)
  const part = await partOf(tx, row, fromMonth)
  const price = await priceFor(tx, row)
  return new Rehearsed({
    chargedBy: chargedBy(row),
    ...(await countStudents(tx, row)),
    fromMonth,
    example: part && {
      ...part,
      full: money(price, row.currency),
      charged: money(priceOfPart(price, part), row.currency),
    },
  })
}
