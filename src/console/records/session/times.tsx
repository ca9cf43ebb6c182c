import { addDays } from '../../../shared/dates.ts'
import { DateField } from '../../parts/date-field.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { DAY_MINUTES, instantOf, minutesOf, timeOf } from '../../words/zone.ts'

/** When a lesson is, as it is typed; null: none is typed, or none that is understood. */
export interface TypedTimes {
  /** YYYY-MM-DD */
  date: string | null
  /** HH:MM */
  start: string | null
  end: string | null
}

/** As long as a lesson may last that ends on the day after: what would be longer is mistyped. */
const LONGEST_NIGHT_MILLIS = 12 * 3_600_000

/** The instants of a lesson. @returns undefined: something is missing, or it would end before it begins */
export const timesOf = ({ date, start, end }: TypedTimes, zone: string): { start: string; end: string } | undefined => {
  if (date === null || start === null || end === null) return undefined
  const begins = instantOf(date, start, zone)
  const sameDay = instantOf(date, end, zone)
  if (sameDay > begins) return { start: begins, end: sameDay }
  const dayAfter = instantOf(addDays(date, 1), end, zone)
  const isNight = Date.parse(dayAfter) - Date.parse(begins) <= LONGEST_NIGHT_MILLIS
  return isNight ? { start: begins, end: dayAfter } : undefined
}

interface LessonTimesProps {
  typed: TypedTimes
  onChange: (typed: TypedTimes) => void
  /** How long a lesson is, in minutes: its end follows its beginning. */
  lasts: number
  /** Whether somebody has tried to save: what is missing is said. */
  isTried: boolean
}

/** The day of a lesson, and from when until when it is. */
export const LessonTimes = ({ typed, onChange, lasts, isTried }: LessonTimesProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  const { date, start, end } = typed
  const isWhole = date !== null && start !== null && end !== null
  const isBackwards = isWhole && timesOf(typed, format.zone) === undefined
  const missing = (value: string | null) => (isTried && value === null ? words.missing : undefined)
  const begin = (time: string | null) => {
    const isFollowed = time !== null && lasts < DAY_MINUTES
    onChange({ ...typed, start: time, ...(isFollowed && { end: timeOf((minutesOf(time) + lasts) % DAY_MINUTES) }) })
  }
  return (
    <>
      <DateField
        label={words.date}
        value={date}
        onChange={(day) => onChange({ ...typed, date: day })}
        error={missing(date)}
        autoFocus
      />
      <div className="pair">
        <TimeField label={words.starts} value={start} onChange={begin} error={missing(start)} />
        <TimeField
          label={words.ends}
          value={end}
          onChange={(time) => onChange({ ...typed, end: time })}
          error={missing(end) ?? (isBackwards ? words.endFirst : undefined)}
        />
      </div>
    </>
  )
}
