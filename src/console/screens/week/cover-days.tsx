import type { Schemas } from '../../api/client.ts'
import { Check } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/notice.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { useStaffSource } from '../../records/staff/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import type { PlannedLesson } from './cover-reads.ts'

const SAME = 'same'

interface CoverDaysProps {
  lessons: readonly PlannedLesson[]
  /** Who is absent: nobody stands in for themself. */
  staffId: string
  /** Who stands in on the days for which nobody else was chosen. */
  standing: Schemas['Staff'] | undefined
  byDay: ReadonlyMap<string, string>
  /** @param id null: whoever stands in on the others */
  onDay: (date: string, id: string | null) => void
  isGiven: (lesson: PlannedLesson) => boolean
  onGive: (sessionId: string, isTicked: boolean) => void
}

/** The lessons of an absent teacher, a day below the other: who stands in that day, and which of them they give. */
export const CoverDays = ({ lessons, staffId, standing, byDay, onDay, isGiven, onGive }: CoverDaysProps) => {
  const { week } = useWords()
  const words = week.cover
  const format = useFormat()
  const all = useStaffSource()
  const others = {
    ...all,
    read: async (q: string, signal: AbortSignal) => {
      const page = await all.read(q, signal)
      return { ...page, data: page.data.filter(({ id }) => id !== staffId) }
    },
  }
  if (lessons.length === 0) return <Empty>{words.noLessons}</Empty>
  const dayOf = ({ scheduledStart }: PlannedLesson): string => format.dateOf(scheduledStart)
  const days = [...new Set(lessons.map(dayOf))]
  return (
    <div className="foreseen">
      {days.map((date) => (
        <section key={date} className="card padded" aria-label={format.longDate(date)}>
          <div className="filters">
            <b>{format.longDate(date)}</b>
            <RecordChoice
              label={words.substituteOn(format.longDate(date))}
              isLabelUnseen
              source={others}
              first={[{ id: SAME, label: standing?.fullName ?? words.substitute }]}
              value={byDay.get(date) ?? SAME}
              onChange={(id) => onDay(date, id === SAME ? null : id)}
            />
          </div>
          <ul>
            {lessons
              .filter((lesson) => dayOf(lesson) === date)
              .map((lesson) => (
                <li key={lesson.sessionId}>
                  <Check isChecked={isGiven(lesson)} onChange={(isTicked) => onGive(lesson.sessionId, isTicked)}>
                    <Lesson lesson={lesson} />
                  </Check>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const Lesson = ({ lesson: { groupName, scheduledStart, scheduledEnd, clashes } }: { lesson: PlannedLesson }) => {
  const { week } = useWords()
  const words = week.cover
  const format = useFormat()
  const said = clashes.map(({ kind, groupName: other, scheduledStart: start, scheduledEnd: end }) =>
    kind === 'absence' || start === null || end === null
      ? words.absentToo
      : words.clash(other ?? week.anotherLesson, format.times(start, end)),
  )
  return (
    <>
      <Dotted>
        <bdi className="nowrap">{format.times(scheduledStart, scheduledEnd)}</bdi>
        <bdi>{groupName}</bdi>
      </Dotted>
      {[...new Set(said)].map((sentence) => (
        <span key={sentence} className="said-so clashing">
          <Icon name="warning" />
          {sentence}
        </span>
      ))}
    </>
  )
}
