import type { Schemas } from '../../api/client.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { HandedOut } from '../file/handed-out.tsx'
import { WholeHomework } from '../session/homework.tsx'
import { Names } from '../session/row.tsx'

interface ToldLessonProps {
  session: Schemas['ScheduledSession']
  /** Whose lesson it was, where there are several; '' where there is nobody to tell apart. */
  who?: string
}

/** What a lesson left to be done or read at home: its homework, and the files that were handed out. */
export const ToldLesson = ({ session, who = '' }: ToldLessonProps) => {
  const format = useFormat()
  const { groupName, scheduledStart, topic, homework } = session
  const day = format.longDate(format.dateOf(scheduledStart))
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{groupName}</bdi>
        <span className="about day">
          <Names names={[day, who]} />
        </span>
        {topic !== null && (
          <span className="about">
            <bdi>{topic}</bdi>
          </span>
        )}
        {homework && <WholeHomework homework={homework} day={format.today()} />}
        <FilesOfLesson session={session} />
      </span>
    </div>
  )
}

/** The files of a lesson, under its name and day. */
export const FilesOfLesson = ({ session }: Pick<ToldLessonProps, 'session'>) => {
  const { own: words } = useWords()
  const format = useFormat()
  const { sessionId, groupName, scheduledStart, fileCount } = session
  const day = format.longDate(format.dateOf(scheduledStart))
  return <HandedOut of="session" id={sessionId} count={fileCount} title={words.filesOf(groupName, day)} />
}
