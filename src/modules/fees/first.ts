import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Row } from '#runtime/records/records.ts'
import { COMMAS, type Locale } from '#shared/locale.ts'
import { pausesOf } from '#modules/people/index.ts'
import { chargedLessons, type ChargedLesson } from '#modules/sessions/index.ts'
import { readBilled } from './billed.ts'
import { daysInForce, within, type Days, type Span } from './in-force.ts'
import { daysPart, lessonsPart, partWords, priceOfPart } from './part.ts'
import { daysOf, monthName, periodOf, type Period, type Term } from './period.ts'

/** What a student pays first who joins groups. A billing run does not charge again what stands on such an invoice. */

type Fee = Row<'fee_schedule'>

interface Price {
  amountMinor: number
  currency: Currency
}

export interface JoinedGroup {
  group: {
    id: string
    name: string
    courseId: string
    courseName: string
    feeMinor: number | null
    currency: Currency
    startsOn: string | null
    endsOn: string | null
  }
  /** The first day on which they belong to it. */
  from: string
  /** null: what fees, or the group, say. */
  agreed: Price | null
}

export interface FirstLine extends Price {
  description: string
  feeScheduleId: string | null
  /** Both null: it is charged for once, whatever they join. */
  groupId: string | null
  courseId: string | null
  /** What all of it would cost, of which a part may be charged. */
  fullMinor: number
  /** The first day that it is charged for; null: it is charged for no days. */
  from: string | null
}

const LONGEST = 300

/** For fees that are charged once. */
const EVER: Period = {
  termName: null,
  termStartsOn: null,
  firstMonth: '0000-00',
  lastMonth: '9999-99',
  from: '0000-00-00',
  to: '9999-99-99',
}

const isOf = ({ group_id: groupId, course_id: courseId }: Fee, { group }: JoinedGroup): boolean =>
  groupId === null ? courseId === group.courseId : groupId === group.id

const isForAll = ({ group_id: groupId, course_id: courseId }: Fee): boolean => groupId === null && courseId === null

/** The registration, once, in the currency of a group. */
const registrations = (fees: readonly Fee[], joined: readonly JoinedGroup[]): FirstLine[] =>
  fees
    .filter(
      (fee) =>
        fee.kind === 'registration' &&
        joined.some((one) => one.group.currency === fee.currency && (isForAll(fee) || isOf(fee, one))),
    )
    .map(({ id, name, amount_minor: amountMinor, currency }) => ({
      description: name,
      amountMinor,
      currency,
      feeScheduleId: id,
      groupId: null,
      courseId: null,
      fullMinor: amountMinor,
      from: null,
    }))

interface Month {
  days: Span
  inWords: string
  locale: Locale
  pauses: readonly Days[]
  lessonsOf: (groupId: string) => readonly ChargedLesson[]
}

/** What of its month a monthly fee charges, as a run would; undefined: nothing. */
const ofMonth = (
  { name, proration, valid_from: from, valid_to: to }: Fee,
  { group, from: joinedOn }: JoinedGroup,
  { price, days, inWords, locale, pauses, lessonsOf }: Month & { price: number },
): Pick<FirstLine, 'description' | 'amountMinor' | 'fullMinor' | 'from'> | undefined => {
  const period = within(days, { from, to })
  const ofGroup = { from: group.startsOn, to: group.endsOn, isOver: false, cancelledFrom: null }
  const spans = period && daysInForce(period, { from: joinedOn, to: null, group: ofGroup, pauses })
  if (spans === undefined || typeof spans === 'string') return undefined
  const parts = {
    none: () => undefined,
    days: () => daysPart(days, spans),
    lessons: () => lessonsPart(lessonsOf(group.id), spans),
  }
  const part = parts[proration]()
  const amountMinor = part ? priceOfPart(price, part) : price
  if (amountMinor === 0 && price > 0) return undefined
  const description = `${name}${COMMAS[locale]}${inWords}${partWords(part, locale)}`
  return { description, amountMinor, fullMinor: price, from: spans[0]?.from ?? null }
}

/** The first month, term or course as the fees of a group or its course say; where none does, what the group costs. */
const ofGroup = (fees: readonly Fee[], one: JoinedGroup, month: Month): FirstLine[] => {
  const { group, agreed } = one
  const own = fees.filter(
    (fee) => fee.kind === 'per_group' && isOf(fee, one) && (agreed !== null || fee.currency === group.currency),
  )
  if (own.length > 0) {
    return own.flatMap((fee) => {
      const { amountMinor, currency } = agreed ?? { amountMinor: fee.amount_minor, currency: fee.currency }
      const charged =
        fee.recurrence === 'monthly'
          ? ofMonth(fee, one, { ...month, price: amountMinor })
          : { description: fee.name, amountMinor, fullMinor: amountMinor, from: null }
      if (!charged) return []
      return [{ ...charged, currency, feeScheduleId: fee.id, groupId: group.id, courseId: group.courseId }]
    })
  }
  const price = agreed ?? { amountMinor: group.feeMinor ?? 0, currency: group.currency }
  if (price.amountMinor === 0) return []
  const description = `${group.courseName}${COMMAS[month.locale]}${group.name}`.slice(0, LONGEST)
  const { id: groupId, courseId } = group
  return [{ description, ...price, feeScheduleId: null, groupId, courseId, fullMinor: price.amountMinor, from: null }]
}

interface FirstRules {
  /** YYYY-MM */
  month: string
  terms: readonly Term[]
  timezone: string
  /** All groups that somebody joins. */
  groupIds: readonly string[]
}

interface Joining {
  /** null: they are new, and nothing was charged yet. */
  studentId: string | null
  groups: readonly JoinedGroup[]
  /** In which the lines are written. */
  locale: Locale
}

/**
 * Reads the fees, and what these students were charged before.
 * @returns the lines with which somebody begins who joins groups; where a fee is of several of them, the first counts
 */
export const firstCharges = async (
  whole: ScopedDb,
  studentIds: readonly string[],
  { month, terms, timezone, groupIds }: FirstRules,
): Promise<(joining: Joining) => FirstLine[]> => {
  const fees = await whole
    .selectFrom('fee_schedule')
    .selectAll()
    .where('is_active', '=', true)
    .where('kind', 'in', ['registration', 'per_group'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const feeIds = fees.map(({ id }) => id)
  const billed = studentIds.length === 0 || fees.length === 0 ? undefined : await readBilled(whole, studentIds, feeIds)
  const days = daysOf(undefined, month)
  const isByLessons = fees.some(({ proration }) => proration === 'lessons')
  const lessonsOf = await chargedLessons(whole, { groupIds: isByLessons ? groupIds : [], days, timezone })
  const pausesBy = studentIds.length === 0 ? undefined : await pausesOf(whole, studentIds)
  const isBilled = (studentId: string | null, { id, kind, recurrence }: Fee): boolean => {
    if (studentId === null || !billed) return false
    const isOnce = kind === 'registration' || recurrence === 'once'
    const period = isOnce ? EVER : periodOf(recurrence, month, terms)
    if (!period) return false
    return billed.charge(studentId, id, month, period) !== undefined || billed.byHand(studentId, id, period)
  }
  return ({ studentId, groups, locale }) => {
    const pauses = pausesBy?.get(studentId ?? '') ?? []
    const inMonth: Month = { days, inWords: monthName(month, locale), locale, pauses, lessonsOf }
    const lines = [...registrations(fees, groups), ...groups.flatMap((one) => ofGroup(fees, one, inMonth))]
    const seen = new Set<string>()
    return lines.filter(({ feeScheduleId: id }) => {
      if (id === null) return true
      const fee = fees.find((one) => one.id === id) as Fee
      if (seen.has(id) || isBilled(studentId, fee)) return false
      seen.add(id)
      return true
    })
  }
}
