import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useFormat } from '../../words/language.tsx'
import { WholeHomework } from './homework.tsx'
import { Names } from './row.tsx'

interface ToldLessonProps {
  session: Schemas['ScheduledSession']
  /** Whose lesson it was, where there are several; '' where there is nobody to tell apart. */
  who?: string
  /** The files that were handed out. */
  children: ReactNode
}

/** What a lesson left to be done or read at home: its homework, and the files that were handed out. */
export const ToldLesson = ({ session, who = '', children }: ToldLessonProps) => {
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
        {children}
      </span>
    </div>
  )
}
