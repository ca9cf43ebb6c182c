import { invalid } from '#kernel/values/errors.ts'
import type { Currency } from '#kernel/values/money.ts'
import { localDate } from '#kernel/time/zone.ts'
import { inPart } from '#kernel/values/parts.ts'
import type { Locale } from '#shared/locale.ts'
import { computed, readGuardianLocale, readPayerLocales, readPayersOfRecord } from '#modules/billing/index.ts'
import { discountFirst, firstCharges, type FirstCharge, type FirstChild } from '#modules/fees/index.ts'
import type { Group } from '#modules/groups/index.ts'
import { NewGuardian } from '#modules/people/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import type { Asked } from './asked.ts'
import type { RegisteredStudent } from './schemas.ts'

/** With what students begin: their first invoices, before they are made. */

interface BillLine {
  description: string
  quantity: number
  unitAmountMinor: number
  discountMinor: number
  taxRatePercent: number
  feeScheduleId: string | null
  groupId: string | null
  siblingPlace: number | null
}

export interface Bill {
  currency: Currency
  lines: BillLine[]
}

type Line = BillLine & { currency: Currency }

type Joined = RegisteredStudent['groups'][number]

const priceOf = (joined: Joined, group: Group) => {
  const { priceMinor = group.feeMinor ?? 0, currency = group.currency } = joined
  return { amountMinor: priceMinor, currency }
}

/** Whether another price was agreed upon than that of the group, as the enrollment keeps it. */
const isAgreed = ({ priceMinor, currency }: Joined, group: Group): boolean =>
  priceMinor !== undefined || (currency !== undefined && currency !== group.currency)

/** The day on which the student begins: the day that was given, or that of the time, else today. */
const dayOf = ({ today, tenant }: Asked['tx'], { enrolledAt }: Joined): string => {
  if (enrolledAt === undefined) return today
  return enrolledAt.length === today.length ? enrolledAt : localDate(enrolledAt, tenant.timezone)
}

const groupOf = ({ groups }: Asked, { groupId }: Joined): Group => groups.get(groupId) as Group

const lineOf = ({ amountMinor, courseId: _course, fullMinor: _full, from: _from, ...line }: FirstCharge): Line => ({
  ...line,
  quantity: 1,
  unitAmountMinor: amountMinor,
  taxRatePercent: 0,
})

/** The lines as they were given. @throws VALIDATION_ERROR */
const given = (asked: Asked, at: number, { groups, lines = [] }: RegisteredStudent): Line[] => {
  const prices = new Map(groups.map((joined) => [joined.groupId, priceOf(joined, groupOf(asked, joined))]))
  const [usual] = prices.values()
  return lines.map(({ feeScheduleId = null, groupId = null, siblingPlace = null, currency, ...line }, nth) => {
    const price = groupId === null ? usual : prices.get(groupId)
    if (groupId !== null && !price) {
      throw invalid(['students', at, 'lines', nth, 'groupId'], 'Must be a group that the student joins here.')
    }
    return {
      ...line,
      feeScheduleId,
      groupId,
      siblingPlace,
      currency: currency ?? price?.currency ?? asked.tx.tenant.currency,
    }
  })
}

const byCurrency = (lines: readonly Line[]): Bill[] =>
  [...Map.groupBy(lines, ({ currency }) => currency)].map(([currency, of]) => ({
    currency,
    lines: of.map(({ currency: _currency, ...line }) => line),
  }))

/** The language of the guardian who is registered: of who pays for students that have no payer yet. */
const localeOf = async ({ tx, body: { guardian }, lead }: Asked): Promise<Locale> => {
  const { defaultLocale } = tx.tenant
  if (guardian === null) return defaultLocale
  if (guardian === undefined) return lead?.guardian ? lead.locale : defaultLocale
  const { id, preferredLocale = NewGuardian.entries.preferredLocale.default } = guardian
  return id === undefined ? preferredLocale : ((await readGuardianLocale(tx.whole, id)) ?? defaultLocale)
}

/** Who will be the payer of record of each student: the guardian who is registered, or who is it already. */
const payersOf = async (
  { tx, body: { guardian, isPayer }, lead }: Asked,
  studentIds: readonly (string | null)[],
): Promise<FirstChild['payer'][]> => {
  const known = await readPayersOfRecord(
    tx.whole,
    studentIds.filter((id) => id !== null),
  )
  const hasGuardian = guardian === undefined ? Boolean(lead?.guardian) : guardian !== null
  const registered = guardian?.id === undefined ? ('new' as const) : { guardianId: guardian.id }
  return studentIds.map((id) => {
    if (hasGuardian && isPayer) return registered
    const guardianId = id === null ? undefined : known.get(id)
    return guardianId === undefined ? null : { guardianId }
  })
}

/**
 * What each student is charged first.
 * @param studentIds by their position; null: the student is new
 * @throws VALIDATION_ERROR for lines that cannot be an invoice
 */
export const planBills = async (asked: Asked, studentIds: readonly (string | null)[]): Promise<Bill[][]> => {
  const { tx, body } = asked
  const { terms } = await readSettings(tx.whole)
  const known = studentIds.filter((id) => id !== null)
  const { timezone } = tx.tenant
  const groupIds = [...asked.groups.keys()]
  const charges = await firstCharges(tx.whole, known, { month: tx.today.slice(0, 7), terms, timezone, groupIds })
  const locales = await readPayerLocales(tx.whole, known)
  const locale = await localeOf(asked)
  const payers = await payersOf(asked, studentIds)
  const children: FirstChild[] = body.students.map((student, at) => {
    const groups = student.groups.map((joined) => {
      const group = groupOf(asked, joined)
      const agreed = isAgreed(joined, group) ? priceOf(joined, group) : null
      return { group, agreed, from: dayOf(tx, joined) }
    })
    const studentId = studentIds[at] ?? null
    const language = locales.get(studentId ?? '') ?? locale
    const lines = student.lines ? [] : charges({ studentId, groups, locale: language })
    return { studentId, payer: payers[at] ?? null, lines, locale: language }
  })
  const proposed = await discountFirst(tx, children)
  const bills: Bill[][] = []
  for (const [at, student] of body.students.entries()) {
    const lines = student.lines ? given(asked, at, student) : (proposed[at] ?? []).map(lineOf)
    // Here alone the positions of lines are those of the request.
    await inPart(['students', at], async () => computed(lines))
    bills.push(byCurrency(lines))
  }
  return bills
}
