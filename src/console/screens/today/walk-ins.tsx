import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useWalkIns } from './reads.ts'

/** Who came to a lesson without being enrolled, to be enrolled or not. Nothing is shown where nobody waits. */
export const WalkIns = () => {
  const { today: words } = useWords()
  const { branchId } = useMe()
  const walkIns = useWalkIns(branchId).data?.data ?? []
  if (walkIns.length === 0) return null
  return (
    <Section title={words.walkIns}>
      <ul className="card" aria-label={words.walkIns}>
        {walkIns.map((one) => (
          <li key={`${one.sessionId} ${one.studentId}`}>
            <WalkInRow walkIn={one} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

const WalkInRow = ({ walkIn }: { walkIn: Schemas['WalkIn'] }) => {
  const { today: words } = useWords()
  const format = useFormat()
  const { sessionId, studentId, studentName, groupId, groupName, scheduledStart, note } = walkIn
  const enrol = useChange(
    'enrollment',
    // From that lesson on: only then do they stand on its list.
    (body: Schemas['NewEnrollment'], header) => answer(api.POST('/enrollments', { params: { header }, body })),
    () => toast(words.walkInEnrolled(studentName, groupName)),
  )
  const settle = useChange('attendance', (path: { id: string; studentId: string }, header) =>
    answer(api.POST('/sessions/{id}/walk-ins/{studentId}/settle', { params: { path, header } })),
  )
  const isBusy = enrol.isPending || settle.isPending
  const problem = enrol.error ?? settle.error
  return (
    <>
      <div className="row">
        <Initials name={studentName} />
        <span className="grow">
          <bdi className="name">{studentName}</bdi>
          <span className="about">
            <Dotted>
              <bdi>{groupName}</bdi>
              <bdi>{format.moment(scheduledStart)}</bdi>
              {note !== null && <bdi>{note}</bdi>}
            </Dotted>
          </span>
        </span>
        <div className="actions">
          <Button
            look="quiet"
            isDisabled={isBusy}
            onPress={() => settle.mutate({ id: sessionId, studentId })}
            aria-label={words.walkInLeaveOf(studentName)}
          >
            {words.walkInLeave}
          </Button>
          <Button
            isBusy={enrol.isPending}
            isDisabled={isBusy}
            onPress={() => enrol.mutate({ studentId, groupId, enrolledAt: scheduledStart })}
            aria-label={words.walkInEnrolOf(studentName)}
          >
            {words.walkInEnrol}
          </Button>
        </div>
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </>
  )
}
