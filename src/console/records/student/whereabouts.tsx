import { useQueries } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useInstant } from '../../shell/now.ts'
import { comingLessons } from '../session/reads.ts'
import { useEnrollments } from './reads.ts'

type Session = Schemas['TimetableSession']

/** Nobody is in more groups at once. */
const MOST_GROUPS = 6

/** The lesson that the student is in now, or the next one of today. A request for each of the student's few groups. */
const useLessonOfNow = (studentId: string): { now?: Session; later?: Session } => {
  const format = useFormat()
  const enrollments = useEnrollments(studentId)
  const active = (enrollments.data ?? []).filter(({ status }) => status === 'active').slice(0, MOST_GROUPS)
  const sessions = useQueries({
    queries: active.map(({ groupId }) => comingLessons(groupId, format.today())),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  const at = useInstant()
  const today = sessions.filter(({ scheduledStart }) => format.dateOf(scheduledStart) === format.today())
  const sorted = today.toSorted((one, other) => one.scheduledStart.localeCompare(other.scheduledStart))
  const now = sorted.find(({ scheduledStart, scheduledEnd }) => scheduledStart <= at && at < scheduledEnd)
  const later = sorted.find(({ scheduledStart }) => scheduledStart > at)
  return { ...(now && { now }), ...(later && { later }) }
}

/** Where the student is now, or has to be later today; nothing where no lesson is. */
export const Whereabouts = ({ studentId }: { studentId: string }) => {
  const { people } = useWords()
  const format = useFormat()
  const { now, later } = useLessonOfNow(studentId)
  if (now) {
    return (
      <span className="in-lesson">
        {people.nowIn(now.groupName, now.room && format.room(now.room), format.time(now.scheduledEnd))}
      </span>
    )
  }
  if (later) return <span>{people.laterIn(later.groupName, format.time(later.scheduledStart))}</span>
  return null
}
