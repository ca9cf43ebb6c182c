/** The owners hear of the end of the period so many days before it. */
export const NOTICE_DAYS = [1, 7, 14] as const

const DAY_MILLIS = 24 * 3600 * 1000

/** The days from `now` to the end, rounded up. */
export const daysUntil = (now: string, end: string): number =>
  Math.ceil((Date.parse(end) - Date.parse(now)) / DAY_MILLIS)

/**
 * What a period that is so short that notices lie before its beginning starts with: it counts as noticed then. @returns
 * the nearest notice that will not be sent; null: all will be
 */
export const noticesPassed = (now: string, end: string): number | null =>
  NOTICE_DAYS.find((days) => days > daysUntil(now, end)) ?? null
