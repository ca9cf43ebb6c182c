import { addDays } from '../../../shared/dates.ts'
import { DateField } from '../../parts/date-field.tsx'
import type { Fields } from '../../parts/form.tsx'
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

/** What is missing of the times of a lesson, or wrong with them. */
export const faultsOf = (
  typed: TypedTimes,
  { missing, endFirst }: { missing: string; endFirst: string },
  zone: string,
): Partial<Record<keyof TypedTimes, string | false>> => ({
  date: typed.date === null && missing,
  start: typed.start === null && missing,
  end: typed.end === null ? missing : typed.date !== null && typed.start !== null && !timesOf(typed, zone) && endFirst,
})

interface LessonTimesProps {
  form: Pick<Fields<TypedTimes>, 'field' | 'set' | 'typed'>
  /** How long a lesson is, in minutes: its end follows its beginning. */
  lasts: number
}

/** The day of a lesson, and from when until when it is. */
export const LessonTimes = ({ form, lasts }: LessonTimesProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  const { field, set, typed } = form
  const begin = (time: string | null) => {
    const isFollowed = time !== null && lasts < DAY_MINUTES
    set({ start: time, ...(isFollowed && { end: timeOf((minutesOf(time) + lasts) % DAY_MINUTES) }) })
  }
  const { end } = faultsOf(typed, words, format.zone)
  return (
    <>
      <DateField label={words.date} {...field('date')} autoFocus />
      <div className="pair">
        <TimeField label={words.starts} {...field('start')} onChange={begin} />
        <TimeField
          label={words.ends}
          {...field('end')}
          // Said at once: below it stands what the lesson would clash with, and without an end there is nothing.
          error={field('end').error ?? (typed.end !== null && end ? end : undefined)}
        />
      </div>
    </>
  )
}
