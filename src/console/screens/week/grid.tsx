import { weekdayOf } from '../../../shared/dates.ts'
import type { Locale } from '../../../shared/locale.ts'
import { useEffect, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Icon } from '../../parts/icon.tsx'
import { useFormat, useLanguage, useWords } from '../../words/language.tsx'
import { useNow } from '../../shell/now.ts'
import { timeOf, wallTimeOf } from '../../words/zone.ts'
import { isForgotten, isOver, isRunning, Names } from '../../records/session/row.tsx'
import { hoursOf, layoutOf, type DayLayout, type Placed } from './layout.ts'
import type { Clash, Session } from '../../records/session/reads.ts'

/** The rows of the grid; a session begins on the nearest one. */
const STEP_MINUTES = 5
/** As style/week.css has them, in rem: the height of an hour, what surrounds the words of a lesson, a line of them. */
const HOUR = 4
const AROUND = 0.375
const LINE: Readonly<Record<Locale, number>> = { en: 1.125, he: 1.125, ar: 1.375 }
/** The width of a lane at which a name can be read, in rem. */
const LANE = 5.5

/** Where a week is taller than the window, it begins so many hours before now. */
const HOURS_BEFORE_NOW = 2.5

interface GridProps {
  sessions: readonly Session[]
  dates: readonly string[]
  clashes: ReadonlyMap<string, readonly Clash[]>
  /** What all lessons have in common is not said of each. */
  hides: { room: boolean; teacher: boolean }
  onOpen: (id: string) => void
}

/** A week on a desk: a column for each day, in which lessons stand by the clock. */
export const Grid = ({ sessions, dates, clashes, hides, onOpen }: GridProps) => {
  const format = useFormat()
  const now = useNow()
  const days = layoutOf(sessions, dates, format.zone)
  const { from, until } = hoursOf(days)
  const clock = wallTimeOf(new Date(now).toISOString(), format.zone)
  const hours = Array.from({ length: until - from }, (_, index) => from + index)
  const widthOf = ({ lanes, placed }: DayLayout<Session>) =>
    `minmax(${lanes * LANE}rem, ${placed.length === 0 ? 0.8 : 0.4 + 0.6 * lanes}fr)`
  const grid = useRef<HTMLDivElement>(null)
  const shownFirst = dates.includes(clock.date) ? clock.minutes / 60 - from - HOURS_BEFORE_NOW : 0
  useEffect(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    grid.current?.scrollTo(0, shownFirst * HOUR * rem)
    // Only when another week is opened: nothing moves under the eye.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [dates[0]])
  return (
    <div
      ref={grid}
      className="card week-grid"
      style={{ gridTemplateColumns: `3.25rem ${days.map(widthOf).join(' ')}` }}
    >
      <div className="week-hours" aria-hidden="true">
        <div className="week-head" />
        {hours.slice(1).map((hour) => (
          <span key={hour} style={{ insetBlockStart: `calc(var(--head) + ${(hour - from) * HOUR}rem)` }}>
            {timeOf((hour % 24) * 60)}
          </span>
        ))}
      </div>
      {days.map((day) => (
        <section
          key={day.date}
          className={day.date === clock.date ? 'week-day today' : 'week-day'}
          aria-label={format.longDate(day.date)}
        >
          <div className="week-head" aria-hidden="true">
            {format.shortWeekday(weekdayOf(day.date))} <b>{Number(day.date.slice(8))}</b>
          </div>
          <ul
            className="week-lanes"
            style={{
              gridTemplateColumns: `repeat(${day.lanes}, minmax(0, 1fr))`,
              gridTemplateRows: `repeat(${((until - from) * 60) / STEP_MINUTES}, ${(HOUR * STEP_MINUTES) / 60}rem)`,
            }}
          >
            {day.placed.map((placed) => (
              <Lesson
                key={placed.session.id}
                placed={placed}
                firstMinute={from * 60}
                now={now}
                isNarrow={day.lanes > 1 && placed.width === 1}
                isClash={clashes.has(placed.session.id)}
                hides={hides}
                onOpen={onOpen}
              />
            ))}
          </ul>
          {day.date === clock.date && clock.minutes >= from * 60 && clock.minutes <= until * 60 && (
            <div
              className="week-now"
              aria-hidden="true"
              style={{ insetBlockStart: `calc(var(--head) + ${(clock.minutes / 60 - from) * HOUR}rem)` }}
            />
          )}
        </section>
      ))}
    </div>
  )
}

interface LessonProps {
  placed: Placed<Session>
  firstMinute: number
  now: number
  /** Whether others stand beside it. */
  isNarrow: boolean
  isClash: boolean
  hides: GridProps['hides']
  onOpen: (id: string) => void
}

const Lesson = ({ placed, firstMinute, now, isNarrow, isClash, hides, onOpen }: LessonProps) => {
  const { session, from, until, lane, width, isContinued } = placed
  const { week: words } = useWords()
  const { locale } = useLanguage()
  const format = useFormat()
  const today = { ...session, about: [] }
  const isCancelled = session.status === 'cancelled'
  const isUnmarked = isForgotten(today, now)
  const named = session.room && format.room(session.room)
  const room = hides.room ? null : named
  const teacher = hides.teacher ? null : session.teacherName
  const rowOf = (minutes: number) => Math.round((minutes - firstMinute) / STEP_MINUTES) + 1
  const lines = Math.max(1, Math.floor((((until - from) / 60) * HOUR - AROUND) / LINE[locale]))
  const nameLines = lines > 2 ? 2 : 1
  // As many names as surely fit: one takes a line where others stand beside it.
  const linesLeft = lines - nameLines
  const time = isContinued ? null : format.time(session.scheduledStart)
  const said = [
    session.groupName,
    format.times(session.scheduledStart, session.scheduledEnd),
    named,
    session.teacherName,
    isCancelled && words.cancelled,
    isUnmarked && words.notMarked,
    isRunning(today, now) && words.now,
    isClash && words.clash,
    isContinued && words.continued,
  ]
  const label = format.commas(said.flatMap((one) => one || []))
  const className = [
    'lesson',
    isCancelled ? 'off' : isUnmarked ? 'unmarked' : isOver(session, now) ? 'over' : isRunning(today, now) && 'now',
    isClash && 'clash',
  ]
  return (
    <li
      style={{ gridRow: `${rowOf(from)} / ${rowOf(until)}`, gridColumn: `${lane + 1} / span ${width}` }}
      // What does not fit can be read so.
      title={label}
    >
      <AriaButton className={className.filter(Boolean).join(' ')} onPress={() => onOpen(session.id)}>
        <span className="unseen">{label}</span>
        <span className="name" aria-hidden="true" style={{ WebkitLineClamp: nameLines }}>
          {(isClash || isUnmarked) && <Icon name={isClash ? 'warning' : 'clock'} />}
          {isCancelled ? (
            <s>
              <bdi>{session.groupName}</bdi>
            </s>
          ) : (
            <bdi>{session.groupName}</bdi>
          )}
        </span>
        {linesLeft > 0 && (
          <span className="about" aria-hidden="true" style={{ WebkitLineClamp: linesLeft }}>
            <Names names={[time, room, teacher].filter(Boolean).slice(0, isNarrow ? linesLeft : linesLeft + 1)} />
          </span>
        )}
      </AriaButton>
    </li>
  )
}
