import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { useInstant } from '../../shell/now.ts'
import { useFormat, useWords } from '../../words/language.tsx'

/** Where a student has a lesson now, or when the next one is. */
export const NextLesson = ({ session }: { session: Schemas['OwnFamilyPerson']['nextSession'] }) => {
  const { people, family, shell } = useWords()
  const format = useFormat()
  const now = useInstant()
  if (!session) return <span className="name">{family.noNextLesson}</span>
  const { groupName, room, scheduledStart, scheduledEnd } = session
  if (scheduledStart <= now && now < scheduledEnd) {
    return (
      <span className="name now">{people.nowIn(groupName, room && format.room(room), format.time(scheduledEnd))}</span>
    )
  }
  const day = format.dateOf(scheduledStart)
  const named = { [format.today()]: shell.today, [format.tomorrow()]: shell.tomorrow }[day] ?? format.longDate(day)
  return (
    <span className="name">
      <Dotted>
        {people.nextLesson(`${named} ${format.times(scheduledStart, scheduledEnd)}`)}
        <bdi>{groupName}</bdi>
        {room !== null && <bdi>{format.room(room)}</bdi>}
      </Dotted>
    </span>
  )
}
