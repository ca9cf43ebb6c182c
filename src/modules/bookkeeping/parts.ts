import type { Chart } from './accounts.ts'
import type { LineRow } from './rows.ts'

/** For what an invoice was charged, by account. The amounts come to its total. */
export type Parts = ReadonlyMap<string, number>

export const partsOf = (lines: readonly LineRow[], chart: Chart): Parts => {
  const parts = new Map<string, number>()
  const add = (account: string, amount: number) => {
    if (amount !== 0) parts.set(account, (parts.get(account) ?? 0) + amount)
  }
  for (const line of lines) {
    add(chart.income(line.course_id ?? line.video_course_id), line.total_minor - line.tax_minor)
    add(chart.tax(), line.tax_minor)
  }
  return parts
}

/** The share of an amount that falls on the first `part` of `whole`, rounded half up. */
const share = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))

/** Takes a part of an invoice off its accounts, as they stand to each other in it. The amounts come to `amount` exactly. */
export const inProportion = (parts: Parts, amount: number): Parts => {
  const whole = [...parts.values()].reduce((sum, one) => sum + one, 0)
  let counted = 0
  let given = 0
  const shares = new Map<string, number>()
  for (const [account, part] of parts) {
    counted += part
    const upTo = share(amount, counted, whole)
    if (upTo > given) shares.set(account, upTo - given)
    given = upTo
  }
  return shares
}
