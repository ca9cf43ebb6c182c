import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Row } from '#runtime/records/records.ts'
import type { Locale } from '#shared/locale.ts'
import { monthName, periodOf, type Period, type Term } from './period.ts'
import { readBilled } from './billed.ts'

/** What a student pays first who joins groups. A billing run does not charge again what stands on such an invoice. */

type Fee = Row<'fee_schedule'>

interface Price {
  amountMinor: number
  currency: Currency
}

export interface JoinedGroup {
  group: { id: string; name: string; courseId: string; courseName: string; feeMinor: number | null; currency: Currency }
  /** null: what fees, or the group, say. */
  agreed: Price | null
}

export interface FirstLine extends Price {
  description: string
  feeScheduleId: string | null
  /** null: it is charged for once, whatever they join. */
  groupId: string | null
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
    }))

/** The first month, term or course as the fees of a group or its course say; where none does, what the group costs. */
const ofGroup = (fees: readonly Fee[], one: JoinedGroup, monthInWords: string): FirstLine[] => {
  const { group, agreed } = one
  const own = fees.filter(
    (fee) => fee.kind === 'per_group' && isOf(fee, one) && (agreed !== null || fee.currency === group.currency),
  )
  if (own.length > 0) {
    return own.map(({ id, name, amount_minor: amountMinor, currency, recurrence }) => ({
      description: recurrence === 'monthly' ? `${name}, ${monthInWords}` : name,
      ...(agreed ?? { amountMinor, currency }),
      feeScheduleId: id,
      groupId: group.id,
    }))
  }
  const price = agreed ?? { amountMinor: group.feeMinor ?? 0, currency: group.currency }
  if (price.amountMinor === 0) return []
  const description = `${group.courseName}, ${group.name}`.slice(0, LONGEST)
  return [{ description, ...price, feeScheduleId: null, groupId: group.id }]
}

interface FirstRules {
  /** YYYY-MM */
  month: string
  terms: readonly Term[]
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
  { month, terms }: FirstRules,
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
  const isBilled = (studentId: string | null, { id, kind, recurrence }: Fee): boolean => {
    if (studentId === null || !billed) return false
    const isOnce = kind === 'registration' || recurrence === 'once'
    const period = isOnce ? EVER : periodOf(recurrence, month, terms)
    if (!period) return false
    return billed.charge(studentId, id, month, period) !== undefined || billed.byHand(studentId, id, period)
  }
  return ({ studentId, groups, locale }) => {
    const inWords = monthName(month, locale)
    const lines = [...registrations(fees, groups), ...groups.flatMap((one) => ofGroup(fees, one, inWords))]
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
