import { daysFrom, lastDayOf, later, monthOf, plusDays, sooner } from './days.ts'
import { byId, type Bill, type Enrollment, type Fee, type Group, type School } from './facts.ts'
import { isPaused, lessonDays } from './lessons.ts'
import { roundedHalfUp } from './rounding.ts'
import { placesOf, takenOff } from './taken-off.ts'

/** What a run of a month has to come to: by the rules alone, one day after the other. */

export interface ExpectedLine {
  fee: string
  enrollment: string
  description: string
  amountMinor: number
  place: number | null
}

export interface ExpectedBill {
  student: string
  branch: string
  currency: string
  dueDate: string
  lines: ExpectedLine[]
}

export interface ExpectedRun {
  bills: ExpectedBill[]
  /** Why a student is not charged, by student and fee. */
  skipped: Map<string, string>
}

interface Period {
  label: string
  from: string
  to: string
  /** The months of which a run bills it. */
  months: { first: string; last: string }
}

const DUE_DAYS = 14
const END = '2200-12-31'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** 2026-11 is November 2026. */
const inWords = (month: string): string => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`

const periodOf = ({ terms }: School, { recurrence }: Fee, month: string): Period | undefined => {
  if (recurrence === 'monthly') {
    const months = { first: month, last: month }
    return { label: inWords(month), from: `${month}-01`, to: lastDayOf(month), months }
  }
  const begun = terms.filter(({ startsOn }) => startsOn <= lastDayOf(month))
  const term = begun.at(-1)
  if (!term) return undefined
  const next = terms[begun.length]
  const last = next ? monthOf(plusDays(`${monthOf(next.startsOn)}-01`, -1)) : monthOf(END)
  return {
    label: term.name,
    from: term.startsOn,
    to: lastDayOf(month),
    months: { first: monthOf(term.startsOn), last },
  }
}

/** The last day of an enrollment; undefined: none is known. */
const lastOf = ({ to }: Enrollment): string | undefined => to?.day

/** The last day of a group for a student: of one that was completed, that on which their place in it was. */
const endOfGroup = ({ endsOn, status }: Group, { ending, to }: Enrollment): string =>
  status === 'completed' && ending === 'completed' && to !== null ? sooner(endsOn, to.day) : endsOn

/** Of these days, those on which the student is in force in the group; else why it is on none. */
const inForce = (school: School, one: Enrollment, days: readonly string[]): string[] | string => {
  const group = byId(school.groups, one.group)
  const first = days[0] as string
  const [from, to] = [one.from.day, lastOf(one)]
  const cancelled = group.status === 'cancelled' ? group.closedOn : null
  if (cancelled !== null && cancelled <= first) return 'group_cancelled'
  const end = endOfGroup(group, one)
  const ofGroup = days.filter((day) => group.startsOn <= day && day <= end)
  if (ofGroup.length === 0) return end < first ? 'group_over' : 'group_not_begun'
  const ofStudent = days.filter((day) => from <= day && (to === undefined || day <= to))
  // Who changed their mind before their first day has left.
  const hasLeft = to !== undefined && (to < first || to < from)
  if (ofStudent.length === 0) return hasLeft ? 'left_before' : 'enrolled_later'
  const ofBoth = ofGroup.filter((day) => ofStudent.includes(day))
  if (ofBoth.length === 0) return end < from ? 'group_over' : 'group_not_begun'
  const held = ofBoth.filter((day) => cancelled === null || day < cancelled)
  if (held.length === 0) return 'group_cancelled'
  const here = held.filter((day) => !isPaused(school, one.student, day))
  return here.length === 0 ? 'paused' : here
}

/** What the days cost, and how the line says which part of the month they are. */
const partOf = (
  school: School,
  fee: Fee,
  { group, days, month, fullMinor }: { group: Group; days: readonly string[]; month: string; fullMinor: number },
): { amountMinor: number; words: string } => {
  if (fee.proration === 'none') return { amountMinor: fullMinor, words: '' }
  const all =
    fee.proration === 'days'
      ? daysFrom(`${month}-01`, lastDayOf(month)).map((day) => ({ day, isPaid: true }))
      : lessonDays(school, group, month)
  const counted = all.filter(({ day, isPaid }) => isPaid && days.includes(day))
  if (all.length === 0) return { amountMinor: 0, words: '' }
  const amountMinor = roundedHalfUp(BigInt(fullMinor) * BigInt(counted.length), BigInt(all.length))
  const words = counted.length === all.length ? '' : ` (${counted.length} of ${all.length} ${fee.proration})`
  return { amountMinor, words }
}

const linesOf = (bills: readonly Bill[], fee: Fee) =>
  bills.flatMap(({ lines }) => lines.filter((line) => line.fee === fee.id))

/** The lines by which runs billed a fee for a period, on invoices that still say so. */
const billedByRuns = ({ bills }: School, student: string, fee: Fee, { months }: Period) =>
  linesOf(
    bills.filter(
      ({ student: of, state, run }) =>
        of === student && state !== 'void' && run !== null && run.month >= months.first && run.month <= months.last,
    ),
    fee,
  )

const billedByHand = ({ bills }: School, student: string, fee: Fee, { from }: Period, until: string) =>
  linesOf(
    bills.filter(
      (bill) =>
        bill.student === student &&
        bill.state !== 'void' &&
        bill.run === null &&
        bill.issueDate >= from &&
        bill.issueDate <= until,
    ),
    fee,
  )

const dueOf = ({ dueDay }: Fee, month: string, today: string): string => {
  if (dueDay === null) return plusDays(today, DUE_DAYS)
  return later(sooner(`${month}-${String(dueDay).padStart(2, '0')}`, lastDayOf(month)), today)
}

/** The last day of the term of a period, or of its month. */
const closeOf = ({ terms }: School, fee: Fee, period: Period): string => {
  if (fee.recurrence === 'monthly') return period.to
  const next = terms.find(({ startsOn }) => startsOn > period.from)
  return next ? plusDays(next.startsOn, -1) : END
}

type Judged = { reason: string; branch: string } | { line: ExpectedLine; branch: string; currency: string; due: string }

interface Asked {
  month: string
  today: string
  branch?: string | undefined
}

/** Of what ended so long before a month, or before the term of it, a run says nothing. */
const lookedAtSince = ({ terms }: School, month: string): string => {
  const begun = terms.filter(({ startsOn }) => startsOn <= lastDayOf(month)).map(({ startsOn }) => startsOn)
  return plusDays(sooner(`${month}-01`, begun.at(-1) ?? `${month}-01`), -366)
}

/** What a fee asks of a student for a month, before discounts, whether it was billed or not. */
interface Claim {
  one: Enrollment
  group: Group
  branch: string
  currency: string
  fullMinor: number
  amountMinor: number
  words: string
  firstDay: string
}

/** The latest enrollment in the groups of the fee that is in force; where none is, the latest says why. */
const claimOf = (
  school: School,
  fee: Fee,
  student: string,
  { month, today }: Asked,
): Claim | { reason: string; branch: string } | undefined => {
  const period = periodOf(school, fee, month)
  const span = period ?? { from: `${month}-01`, to: lastDayOf(month) }
  const days = daysFrom(later(span.from, fee.validFrom ?? span.from), sooner(span.to, fee.validTo ?? span.to))
  if (days.length === 0) return undefined
  const since = lookedAtSince(school, month)
  const judged = school.enrollments
    .filter((one) => one.student === student)
    .map((one) => ({ one, group: byId(school.groups, one.group) }))
    .filter(({ group }) => (fee.group === null ? group.course === fee.course : group.id === fee.group))
    .filter(({ one, group }) => (lastOf(one) ?? since) >= since && endOfGroup(group, one) >= since)
    .toSorted((a, b) => (orderOf(a.one) < orderOf(b.one) ? 1 : -1))
    .map(({ one, group }) => ({ one, group, verdict: inForce(school, one, days) }))
  const chosen = judged.find(({ verdict }) => typeof verdict !== 'string') ?? judged[0]
  if (!chosen) return undefined
  const { one, group, verdict } = chosen
  const hasEnded = one.ending !== null && one.to !== null && one.to.day <= today
  const branch = hasEnded ? group.branch : byId(school.students, student).branch
  if (typeof verdict === 'string') return { reason: verdict, branch }
  const isOwnPrice = fee.price === 'enrollment' || one.isAgreed
  const price = isOwnPrice ? one : fee
  const fullMinor = isOwnPrice ? one.priceMinor : fee.amountMinor
  const { amountMinor, words } = partOf(school, fee, { group, days: verdict, month, fullMinor })
  if (amountMinor === 0) return { reason: 'no_price', branch }
  const firstDay = verdict[0] as string
  return { one, group, branch, currency: price.currency, fullMinor, amountMinor, words, firstDay }
}

/** As which child of their payer each student is charged for the month. */
const familyPlaces = (school: School, asked: Asked): Map<string, number> => {
  const children = school.students.flatMap(({ id, payer }) => {
    if (payer === null) return []
    let [isClaimed, fullMinor] = [false, 0]
    const lines = []
    for (const fee of school.fees) {
      const period = periodOf(school, fee, asked.month)
      if (!period) continue
      const claim = claimOf(school, fee, id, asked)
      if (claim && !('reason' in claim)) {
        isClaimed = true
        if (claim.currency === 'ILS') fullMinor += claim.fullMinor
      }
      lines.push(
        ...billedByRuns(school, id, fee, period),
        ...billedByHand(school, id, fee, period, closeOf(school, fee, period)),
      )
    }
    if (!isClaimed && lines.length === 0) return []
    const place = lines.find((line) => line.place !== null)?.place ?? null
    return [{ id, payer, fullMinor, isBilled: lines.length > 0, place }]
  })
  return school.siblings.length === 0 ? new Map() : placesOf(children)
}

const judge = (
  school: School,
  fee: Fee,
  student: string,
  { places, ...asked }: Asked & { places: ReadonlyMap<string, number> },
): Judged | undefined => {
  const claim = claimOf(school, fee, student, asked)
  if (!claim || 'reason' in claim) return claim
  const { one, group, branch, currency, words, firstDay } = claim
  const period = periodOf(school, fee, asked.month)
  if (!period) return { reason: 'no_term', branch }
  if (billedByRuns(school, student, fee, period).length > 0) return { reason: 'already_billed', branch }
  if (billedByHand(school, student, fee, period, closeOf(school, fee, period)).length > 0) {
    return { reason: 'invoiced_by_hand', branch }
  }
  const place = places.get(student) ?? null
  const taken = takenOff(school, { student, group, currency, firstDay, place, priceMinor: claim.amountMinor })
  const amountMinor = claim.amountMinor - taken.offMinor
  if (amountMinor === 0) return { reason: 'no_price', branch }
  const description = `${fee.name}, ${period.label}${words}${taken.words}`
  const line = { fee: fee.id, enrollment: one.id, description, amountMinor, place }
  return { line, branch, currency, due: dueOf(fee, asked.month, asked.today) }
}

/** Since when somebody is enrolled; of two since the same day, who was enrolled later. */
const orderOf = ({ from, id }: Enrollment): string => `${from.day} ${from.instant ?? ''} ${id}`

/** What a run of a month on this day has to make, and whom it has to skip. */
export const expectedRun = (school: School, asked: Asked): ExpectedRun => {
  const bills = new Map<string, ExpectedBill>()
  const skipped = new Map<string, string>()
  const places = familyPlaces(school, asked)
  for (const { id: student } of school.students) {
    for (const fee of school.fees) {
      const judged = judge(school, fee, student, { ...asked, places })
      if (!judged || (asked.branch !== undefined && judged.branch !== asked.branch)) continue
      if ('reason' in judged) {
        skipped.set(`${student} ${fee.id}`, judged.reason)
        continue
      }
      const { line, branch, currency, due } = judged
      const key = `${student} ${branch} ${currency}`
      const bill = bills.get(key) ?? { student, branch, currency, dueDate: due, lines: [] }
      bills.set(key, { ...bill, dueDate: sooner(bill.dueDate, due), lines: [...bill.lines, line] })
    }
  }
  return { bills: [...bills.values()], skipped }
}

export const totalOf = ({ lines }: Pick<Bill, 'lines'>): number =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

export const paidOf = ({ payments }: Bill): number =>
  payments.reduce((sum, { amountMinor, isReversed }) => sum + (isReversed ? 0 : amountMinor), 0)

/** How an invoice stands on a day whose sweep has been. */
export const statusOf = (bill: Bill, today: string): string => {
  if (bill.state !== 'issued') return bill.state
  const [total, paid] = [totalOf(bill), paidOf(bill)]
  if (paid === total) return 'paid'
  if (bill.dueDate < today) return 'overdue'
  return paid > 0 ? 'partially_paid' : 'issued'
}
