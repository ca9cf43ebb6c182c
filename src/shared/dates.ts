/** Dates as the API has them, YYYY-MM-DD of the years 0000 to 9999. They have no zone. */

const DAY_MILLIS = 86_400_000

/** The date so many days later, or before where `days` is negative. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MILLIS).toISOString().slice(0, 10)

/** 0 to 6; 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** The last day of the month of a day. */
export const lastOfMonth = (date: string): string => {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
