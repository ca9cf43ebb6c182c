/** What is said of a lesson in a calendar. */
export const en = {
  cancelled: 'Cancelled',
}

export type CalendarWords = typeof en
