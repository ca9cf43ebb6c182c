import { Link } from 'wouter'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { HandedOut } from '../../records/file/handed-out.tsx'
import { useFilesOf } from '../../records/file/reads.ts'
import { HomeworkLine, shortened } from '../../records/session/homework.tsx'
import type { Session } from '../../records/session/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { LESSON } from './lesson.tsx'

interface LastLessonProps {
  /** The day of this lesson. */
  day: string
  /** The lesson of this group before it; undefined: there was none lately. */
  last: Session | undefined
  /** Lessons before that one whose homework is due on the day of this one. */
  due: readonly Session[]
}

/** What whoever gives the lesson wants to know a minute before it: what the last one was, and what falls due now. */
export const LastLesson = ({ day, last, due }: LastLessonProps) => {
  const { lesson: words } = useWords()
  const format = useFormat()
  const isWritten = last !== undefined && (last.topic ?? last.homework ?? last.notes) !== null
  return (
    <div className="last-lesson">
      {(isWritten || due.length > 0) && (
        <div className="card">
          {isWritten && (
            <Link href={`/sessions/${last.id}`} className="row">
              <span className="grow">
                <span className="about day">{words.last(format.longDate(format.dateOf(last.scheduledStart)))}</span>
                {last.topic !== null && (
                  <span className="name">
                    <bdi>{last.topic}</bdi>
                  </span>
                )}
                {last.homework !== null && <HomeworkLine homework={last.homework} day={day} />}
                {last.notes !== null && (
                  <span className="written">
                    <span className="about">{words.note}</span>
                    <bdi>{shortened(last.notes)}</bdi>
                  </span>
                )}
              </span>
              <Icon name="forward" />
            </Link>
          )}
          {due.map(({ id, homework }) => (
            <div key={id} className="row">
              <span className="grow">{homework && <HomeworkLine homework={homework} day={day} />}</span>
            </div>
          ))}
        </div>
      )}
      {last && <LastFiles last={last} />}
      <Button
        look="quiet"
        icon="down"
        onPress={() => {
          const lesson = document.getElementById(LESSON)
          lesson?.scrollIntoView()
          lesson?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
        }}
      >
        {words.goTo}
      </Button>
    </div>
  )
}

const LastFiles = ({ last: { id, scheduledStart } }: { last: Session }) => {
  const { lesson: words } = useWords()
  const format = useFormat()
  const count = useFilesOf({ of: 'session', id }).rows?.length ?? 0
  const title = words.last(format.longDate(format.dateOf(scheduledStart)))
  return <HandedOut of="session" id={id} count={count} title={title} />
}
