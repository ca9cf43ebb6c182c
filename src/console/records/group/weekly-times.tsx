import { Button, IconButton } from '../../parts/button.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { randomName } from '../../api/random.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { overlapping, type WholeTime } from './foresee.ts'

/** Days that have the same time: "Sun, Wed 16:00–17:30". */
export interface TimesLine {
  key: string
  days: readonly number[]
  /** HH:MM; null: none is typed yet. */
  startTime: string | null
  endTime: string | null
}

export const emptyLine = (): TimesLine => ({ key: randomName(), days: [], startTime: null, endTime: null })

/** Times that begin and end alike stand in one line. */
export const linesOf = (times: readonly WholeTime[]): TimesLine[] => {
  const lines = new Map<string, TimesLine>()
  for (const { weekday, startTime, endTime } of times) {
    const key = `${startTime} ${endTime}`
    lines.set(key, { key, startTime, endTime, days: [...(lines.get(key)?.days ?? []), weekday] })
  }
  return [...lines.values()]
}

/** The times of the lines that are whole. */
export const wholeTimes = (lines: readonly TimesLine[]): WholeTime[] =>
  lines.flatMap(({ key, days, startTime, endTime }) =>
    startTime === null || endTime === null || endTime <= startTime
      ? []
      : days.map((weekday) => ({ key: `${key} ${weekday}`, weekday, startTime, endTime })),
  )

const isWhole = ({ days, startTime, endTime }: TimesLine): boolean =>
  days.length > 0 && startTime !== null && endTime !== null && endTime > startTime

/** Whether the lines can be saved. */
export const areWhole = (lines: readonly TimesLine[]): boolean =>
  lines.every(isWhole) && overlapping(wholeTimes(lines)) === undefined

/** The lines that somebody has touched: the others ask for nothing. */
export const usedLines = (lines: readonly TimesLine[]): TimesLine[] =>
  lines.filter(({ days, startTime, endTime }) => days.length > 0 || startTime !== null || endTime !== null)

interface WeeklyTimesProps {
  lines: readonly TimesLine[]
  onChange: (lines: TimesLine[]) => void
  /** Whether somebody has tried to save: what is missing is said. */
  isTried: boolean
}

/** The weekly times of a group: the days of each, from when until when. */
export const WeeklyTimes = ({ lines, onChange, isTried }: WeeklyTimesProps) => {
  const { groups: words } = useWords()
  const clash = overlapping(wholeTimes(lines))
  const clashing = clash === undefined ? undefined : wholeTimes(lines)[clash]?.key
  const change = (line: TimesLine) => onChange(lines.map((one) => (one.key === line.key ? line : one)))
  return (
    <fieldset className="weekly">
      <legend>{words.weeklyTimes}</legend>
      {lines.map((line) => (
        <Line
          key={line.key}
          line={line}
          isTried={isTried}
          isOverlapping={clashing?.startsWith(`${line.key} `) === true}
          onChange={change}
          onRemove={() => onChange(lines.filter(({ key }) => key !== line.key))}
        />
      ))}
      <Button look="quiet" icon="plus" onPress={() => onChange([...lines, emptyLine()])}>
        {words.addTime}
      </Button>
    </fieldset>
  )
}

interface LineProps {
  line: TimesLine
  isTried: boolean
  isOverlapping: boolean
  onChange: (line: TimesLine) => void
  onRemove: () => void
}

const DAYS = [0, 1, 2, 3, 4, 5, 6]

const Line = ({ line, isTried, isOverlapping, onChange, onRemove }: LineProps) => {
  const { groups: words, week } = useWords()
  const format = useFormat()
  const { days, startTime, endTime } = line
  const toggle = (day: number) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day]
    onChange({ ...line, days: next.toSorted((a, b) => a - b) })
  }
  const missing = (value: string | null) => (isTried && value === null ? week.missing : undefined)
  const isBackwards = startTime !== null && endTime !== null && endTime <= startTime
  const wrong = isOverlapping ? words.overlap : isTried && days.length === 0 ? words.chooseDays : undefined
  return (
    <div className="weekly-line" {...(wrong !== undefined && { 'data-invalid': true })}>
      <div className="day-toggles" role="group" aria-label={words.days}>
        {DAYS.map((day) => (
          <button
            key={day}
            type="button"
            className="day-toggle"
            aria-pressed={days.includes(day)}
            onClick={() => toggle(day)}
          >
            <span aria-hidden="true">{format.briefWeekday(day)}</span>
            <span className="unseen">{format.longWeekday(day)}</span>
          </button>
        ))}
      </div>
      <div className="pair">
        <TimeField
          label={week.starts}
          value={startTime}
          onChange={(time) => onChange({ ...line, startTime: time })}
          error={missing(startTime)}
        />
        <TimeField
          label={week.ends}
          value={endTime}
          onChange={(time) => onChange({ ...line, endTime: time })}
          error={missing(endTime) ?? (isBackwards ? week.endFirst : undefined)}
        />
      </div>
      <IconButton icon="cross" label={words.removeTime} onPress={onRemove} />
      {wrong !== undefined && <p className="wrong">{wrong}</p>}
    </div>
  )
}
