/** Cheques of a series, as they are typed: the first one, how many there are, and what differs in one of them. */

export interface ChequeRow {
  number: string
  /** In the smallest unit of the currency; null: nothing is typed. */
  amountMinor: number | null
  dueOn: string | null
}

/** The number so many after this one, with the zeros that it begins with; one that is none stays as it is. */
export const numberAfter = (number: string, steps: number): string => {
  const digits = /\d+$/.exec(number)?.[0]
  if (digits === undefined || steps === 0) return number
  const next = String(BigInt(digits) + BigInt(steps)).padStart(digits.length, '0')
  return `${number.slice(0, -digits.length)}${next}`
}

/** The same day of the month so many months later, or the last one of a month that has no such day. */
export const monthsAfter = (date: string, months: number): string => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** So much of a sum for each, what does not go round with the last. */
export const partOf = (sum: number, count: number, at: number): number => {
  const part = Math.floor(sum / count)
  return at === count - 1 ? sum - part * (count - 1) : part
}

/**
 * A month between each and the next: the next number, the same day, the same amount.
 * @param owed what they are for, as long as no amount is typed: it is divided among them
 */
export const fillSeries = (
  first: ChequeRow,
  { count, owed, changed }: { count: number; owed: number; changed: ReadonlyMap<number, Partial<ChequeRow>> },
): ChequeRow[] =>
  Array.from({ length: count }, (_, at) => ({
    number: numberAfter(first.number, at),
    amountMinor: first.amountMinor ?? (partOf(owed, count, at) || null),
    dueOn: first.dueOn === null ? null : monthsAfter(first.dueOn, at),
    ...(at > 0 && changed.get(at)),
  }))
