import { COMMAS, type Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { hundredthsOf } from '#kernel/values/percent.ts'
import { readPayerLocales } from '#modules/billing/index.ts'
import { readDeductions, sumOf, takeOff, withDiscounts, type Deduction, type Taken } from '#modules/discounts/index.ts'
import type { Row } from '#runtime/records/records.ts'
import { readBilled } from './billed.ts'
import { readClaims, type Claim, type NoClaim } from './claims.ts'
import { partWords } from './part.ts'
import { daysOf, lookedAtSince, periodName, periodOf, type Period, type Recurrence } from './period.ts'
import type { RunRules } from './rules.ts'
import { placesOf, siblingPercent, type Child, type Families } from './siblings.ts'

type Schedule = Row<'fee_schedule'>

/** What a schedule charges a student for a month, and what is taken off. */
export interface Priced extends Claim {
  period: Period
  taken: readonly Taken[]
  discountMinor: number
  /** As which child of the payer; null: nothing is taken off for siblings, whoever they are. */
  siblingPlace: number | null
  description: string
}

type NotPriced = Omit<NoClaim, 'reason'> & { reason: NoClaim['reason'] | 'no_term' }

interface Asked {
  /** Those who are asked about, and those for whom their payers pay too. */
  students: readonly { id: string; branch_id: string }[]
  families: Families
  schedules: readonly Schedule[]
  month: string
  rules: RunRules
  isCharged: boolean
}

/** What is taken off as the setting says for siblings; none: nothing. */
export const ofSiblings = ({ siblingDiscounts }: RunRules, place: number | null): Deduction[] => {
  const percent = place === null ? undefined : siblingPercent(siblingDiscounts, place)
  const hundredths = percent === undefined ? null : (hundredthsOf(percent) ?? null)
  return hundredths === null ? [] : [{ id: null, kind: 'siblings', label: null, hundredths, amountMinor: 0 }]
}

/** Reads all that says what students are charged for a month. */
export const readPricing = async (whole: ScopedDb, asked: Asked) => {
  const { students, families, schedules, month, rules, isCharged } = asked
  const { timezone, today, terms, currency } = rules
  const ids = students.map(({ id }) => id)
  const claims = await readClaims(whole, {
    students,
    schedules,
    timezone,
    today,
    month: daysOf(undefined, month),
    lookedAtFrom: lookedAtSince(month, terms),
    isCharged,
  })
  const scheduleIds = schedules.map(({ id }) => id)
  const billed = await readBilled(whole, ids, scheduleIds)
  const payerIds = [...new Set(ids.flatMap((id) => families.payerOf.get(id) ?? []))]
  const deductionsOf = await readDeductions(whole, { studentIds: ids, payerIds })
  const locales = await readPayerLocales(whole, ids)
  const periodFor = ({ recurrence }: Schedule) => periodOf(recurrence as Recurrence, month, terms)

  /** A student as a child of their payer; undefined: they are not charged for the month. */
  const childOf = (id: string): Child | undefined => {
    let [isCounted, isBilled, fullMinor] = [false, false, 0]
    let place: number | null = null
    for (const schedule of schedules) {
      const period = periodFor(schedule)
      if (!period) continue
      const claim = claims(id, schedule, daysOf(period, month))
      const places = billed.places(id, schedule.id, month, period)
      if (places.length > 0) isBilled = true
      for (const one of places) place ??= one
      if (claim && !('reason' in claim)) isCounted = true
      if (claim && 'fullMinor' in claim && claim.currency === currency) fullMinor += claim.fullMinor
    }
    return isCounted || isBilled ? { id, fullMinor, isBilled, place } : undefined
  }

  const placesByPayer = new Map<string, ReadonlyMap<string, number>>()
  const placeOf = (id: string): number | null => {
    const payer = families.payerOf.get(id)
    if (payer === undefined || rules.siblingDiscounts.length === 0) return null
    const known = placesByPayer.get(payer)
    const places = known ?? placesOf((families.childrenOf.get(payer) ?? []).flatMap((one) => childOf(one) ?? []))
    if (!known) placesByPayer.set(payer, places)
    return places.get(id) ?? null
  }

  /** undefined: the schedule has nothing to do with the student. */
  const priceOf = (studentId: string, schedule: Schedule): Priced | NotPriced | undefined => {
    const period = periodFor(schedule)
    const claim = claims(studentId, schedule, daysOf(period, month))
    if (!claim || 'reason' in claim) return claim
    const { amountMinor, groupId, courseId, branchId, enrollmentId, from } = claim
    if (!period) return { branchId, ...(enrollmentId !== undefined && { enrollmentId }), reason: 'no_term' }
    const siblingPlace = placeOf(studentId)
    const payerId = families.payerOf.get(studentId) ?? null
    const line = { studentId, payerId, groupId, courseId, currency: claim.currency, day: from }
    const taken = takeOff(amountMinor, [...ofSiblings(rules, siblingPlace), ...deductionsOf(line)])
    const locale: Locale = locales.get(studentId) ?? rules.locale
    const said = `${schedule.name}${COMMAS[locale]}${periodName(period, month, locale)}${partWords(claim.part, locale)}`
    return {
      ...claim,
      period,
      taken,
      discountMinor: sumOf(taken),
      siblingPlace,
      description: withDiscounts(said, taken, locale),
    }
  }
  return { priceOf, childOf, billed }
}

export type Pricing = Awaited<ReturnType<typeof readPricing>>
