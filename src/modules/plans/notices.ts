/** How many days before the end of the period its owners get a notice. */
export const NOTICE_DAYS = [1, 7, 14] as const

const DAY_MILLIS = 24 * 3600 * 1000

/** The days from `now` to the end, rounded up. */
export const daysUntil = (now: string, end: string): number =>
  Math.ceil((Date.parse(end) - Date.parse(now)) / DAY_MILLIS)

/**
 * A short period may begin after the time of some of its notices. These count as sent.
 * @returns the nearest notice that counts as sent; null: none does
 */
export const noticesPassed = (now: string, end: string): number | null =>
  NOTICE_DAYS.find((days) => days > daysUntil(now, end)) ?? null
