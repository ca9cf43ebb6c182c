import { weekdayOf } from '../../../shared/dates.ts'
import { Empty } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useNow } from '../../shell/now.ts'
import { SessionRow } from '../../records/session/row.tsx'
import { partsOf } from './layout.ts'
import type { Clash, Session } from '../../records/session/reads.ts'

interface DayListProps {
  sessions: readonly Session[]
  dates: readonly string[]
  /** The day that is shown. */
  day: string
  clashes: ReadonlyMap<string, readonly Clash[]>
  onDay: (date: string) => void
  onOpen: (id: string) => void
}

/** A week on a phone: its days to tap, and the lessons of one of them. */
export const DayList = ({ sessions, dates, day, clashes, onDay, onOpen }: DayListProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  const now = useNow()
  const today = format.today()
  const onDate = (date: string) =>
    sessions.filter((session) => partsOf(session, format.zone).some((part) => part.date === date))
  const shown = onDate(day)
  return (
    <div className="week-list">
      <div className="week-days" role="group" aria-label={words.days}>
        {dates.map((date) => {
          const count = onDate(date).filter(({ status }) => status !== 'cancelled').length
          return (
            <button
              key={date}
              type="button"
              className="week-pick"
              aria-pressed={date === day}
              aria-current={date === today ? 'date' : undefined}
              onClick={() => onDay(date)}
            >
              <span aria-hidden="true">{format.narrowWeekday(weekdayOf(date))}</span>
              <b aria-hidden="true">{Number(date.slice(8))}</b>
              <span className={count > 0 ? 'some' : 'none'} />
              <span className="unseen">{`${format.longDate(date)}: ${words.lessons(count)}`}</span>
            </button>
          )
        })}
      </div>
      <h2>{format.longDate(day)}</h2>
      <ul className="card" aria-label={format.longDate(day)}>
        {shown.length === 0 && (
          <li>
            <Empty>{words.noLessonsDay}</Empty>
          </li>
        )}
        {shown.map((session) => (
          <li key={session.id} className={clashes.has(session.id) ? 'clash' : undefined}>
            <SessionRow
              session={{
                ...session,
                about: [
                  session.cancelReason,
                  clashes.has(session.id) ? words.clash : null,
                  session.room && format.room(session.room),
                  session.teacherName,
                ],
              }}
              now={now}
              onPress={() => onOpen(session.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
