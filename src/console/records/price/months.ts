/** The month that is so many months after that of a day, as YYYY-MM. */
const monthAt = (today: string, months: number): string => {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The last month, this one and the next two: those that an office asks about. */
export const monthsAround = (today: string): string[] => [-1, 0, 1, 2].map((at) => monthAt(today, at))
