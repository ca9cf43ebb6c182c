/** Months of the vendor, as 2026-03. Its institutes lie in many zones, and so its months are those of UTC. */

/** @param instant in UTC, as every one that is stored */
export const monthOf = (instant: string): string => instant.slice(0, 7)

export const startOf = (month: string): string => `${month}-01T00:00:00.000Z`

/** The month so many after that one. */
const monthAfter = (month: string, months: number): string => {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
}

/** The first instant after a month. */
export const endOf = (month: string): string => startOf(monthAfter(month, 1))

/** So many months, the first of them first; the last is that of the instant. */
export const monthsUntil = (now: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => monthAfter(monthOf(now), index + 1 - count))
