import type { Locale } from '#shared/locale.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { readDeductions, sumOf, takeOff, withDiscounts } from '#modules/discounts/index.ts'
import type { FirstLine } from './first.ts'
import { runnableSchedules } from './plan.ts'
import { ofSiblings, readPricing } from './pricing.ts'
import { rulesOf } from './rules.ts'
import { placesOf, readFamilies, type Child } from './siblings.ts'

/** What is taken off of what students pay first who join groups, with the siblings who join with them. */

export interface FirstChild {
  /** null: they are new. */
  studentId: string | null
  /** Who will be the payer of record; null: nobody. */
  payer: { guardianId: string } | 'new' | null
  lines: readonly FirstLine[]
  locale: Locale
}

export interface FirstCharge extends FirstLine {
  discountMinor: number
  siblingPlace: number | null
}

/** Those who are new come behind those who are there already, in the order of the request. */
const keyOf = ({ studentId }: FirstChild, at: number): string => studentId ?? `new ${String(at).padStart(4, '0')}`

const fullOf = (lines: readonly FirstLine[], currency: string): number =>
  lines.reduce((sum, line) => sum + (line.groupId !== null && line.currency === currency ? line.fullMinor : 0), 0)

/** Takes off what holds on the first day that is charged for: of lines of groups, not of what is charged for once. */
export const discountFirst = async (tx: Tx, children: readonly FirstChild[]): Promise<FirstCharge[][]> => {
  const { whole, today } = tx
  const rules = await rulesOf(tx)
  const studentIds = children.flatMap(({ studentId }) => studentId ?? [])
  const payerIdOf = ({ payer }: FirstChild): string | null =>
    payer === null || payer === 'new' ? null : payer.guardianId
  const payerIds = [...new Set(children.flatMap((child) => payerIdOf(child) ?? []))]
  const deductionsOf = await readDeductions(whole, { studentIds, payerIds })

  const places = new Map<string, number>()
  if (rules.siblingDiscounts.length > 0) {
    const families = await readFamilies(whole, { studentIds: [], guardianIds: payerIds })
    const knownIds = [...new Set([...families.childrenOf.values()].flat())]
    const students =
      knownIds.length === 0
        ? []
        : await whole.selectFrom('student').select(['id', 'branch_id']).where('id', 'in', knownIds).execute()
    const schedules = await runnableSchedules(whole)
    const month = today.slice(0, 7)
    const pricing =
      students.length === 0
        ? undefined
        : await readPricing(whole, { students, families, schedules, month, rules, isCharged: false })
    const joining = children.map((child, at) => ({ ...child, key: keyOf(child, at) }))
    for (const payer of [...payerIds, null]) {
      const own = joining.filter((child) => (payer === null ? child.payer === 'new' : payerIdOf(child) === payer))
      const known = (families.childrenOf.get(payer ?? '') ?? []).flatMap((id) => pricing?.childOf(id) ?? [])
      const all = new Map<string, Child>(known.map((child) => [child.id, child]))
      for (const { key, lines } of own.filter((one) => one.lines.some(({ groupId }) => groupId !== null))) {
        const { fullMinor = 0, isBilled = false, place = null } = all.get(key) ?? {}
        all.set(key, { id: key, fullMinor: fullMinor + fullOf(lines, rules.currency), isBilled, place })
      }
      for (const [key, place] of placesOf([...all.values()])) places.set(key, place)
    }
  }

  return children.map((child, at) =>
    child.lines.map((line) => {
      const { groupId, courseId, currency, amountMinor, from } = line
      if (groupId === null) return { ...line, discountMinor: 0, siblingPlace: null }
      const siblingPlace = places.get(keyOf(child, at)) ?? null
      const about = {
        studentId: child.studentId,
        payerId: payerIdOf(child),
        groupId,
        courseId,
        currency,
        day: from ?? today,
      }
      const taken = takeOff(amountMinor, [...ofSiblings(rules, siblingPlace), ...deductionsOf(about)])
      const description = withDiscounts(line.description, taken, child.locale)
      return { ...line, description, discountMinor: sumOf(taken), siblingPlace }
    }),
  )
}
