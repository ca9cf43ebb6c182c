import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Closure, Holiday } from './reads.ts'

const MONTHS = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'))
const WEEK = [0, 1, 2, 3, 4, 5, 6]

/** The weeks of a month, from Sunday on; null: a day of another month. */
const weeksOf = (month: string): (string | null)[][] => {
  const first = `${month}-01`
  const weeks: (string | null)[][] = []
  for (let start = addDays(first, -weekdayOf(first)); start.slice(0, 7) <= month; start = addDays(start, 7)) {
    weeks.push(WEEK.map((day) => addDays(start, day)).map((date) => (date.startsWith(month) ? date : null)))
  }
  return weeks
}

interface YearProps {
  year: number
  closures: readonly Closure[]
  holidays: readonly Holiday[]
  /** Whether the reader may change it. */
  mayOpen: (closure: Closure) => boolean
  /** Opens what is closed on a day. */
  onOpen: (closure: Closure) => void
}

/** A year at a glance: closed days are filled, holidays on which it is open have a dot. */
export const Year = ({ year, closures, holidays, mayOpen, onOpen }: YearProps) => {
  const { closures: words } = useWords()
  const format = useFormat()
  const today = format.today()
  return (
    <div className="year" role="group" aria-label={words.yearOf(year)}>
      {MONTHS.map((number) => `${year}-${number}`).map((month) => (
        <div key={month} className="card">
          <table className="month">
            <caption>{format.month(month)}</caption>
            <thead>
              <tr>
                {WEEK.map((day) => (
                  <th key={day} scope="col" abbr={format.longWeekday(day)}>
                    {format.narrowWeekday(day)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(month).map((week, row) => (
                <tr key={week.find((date) => date !== null) ?? row}>
                  {week.map((date, day) =>
                    date === null ? (
                      <td key={WEEK[day]} aria-hidden="true">
                        {'\u00a0'}
                      </td>
                    ) : (
                      <Day
                        key={date}
                        date={date}
                        isToday={date === today}
                        closure={closures.find(({ from, to }) => from <= date && date <= to)}
                        holiday={holidays.find(({ from, to }) => from <= date && date <= to)}
                        mayOpen={mayOpen}
                        onOpen={onOpen}
                      />
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </div>
  )
}

interface DayProps extends Pick<YearProps, 'mayOpen' | 'onOpen'> {
  date: string
  isToday: boolean
  closure: Closure | undefined
  holiday: Holiday | undefined
}

const Day = ({ date, isToday, closure, holiday, mayOpen, onOpen }: DayProps) => {
  const { closures: words } = useWords()
  const format = useFormat()
  const number = format.number(Number(date.slice(8)))
  const why = closure?.name ?? holiday?.name[format.locale]
  const mark = closure ? (closure.branchId === null ? 'closed' : 'closed partly') : holiday ? 'holiday' : ''
  return (
    <td className={isToday ? `${mark} today` : mark} {...(why !== undefined && { title: why })}>
      {closure && mayOpen(closure) ? (
        <button
          type="button"
          className="plain-button"
          aria-label={words.dayClosed(format.longDate(date), closure.name)}
          onClick={() => onOpen(closure)}
        >
          {number}
        </button>
      ) : (
        number
      )}
    </td>
  )
}
