import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { usePaper } from '../../parts/paper-button.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useInstant } from '../../shell/now.ts'
import { CompleteQuestion } from '../../records/enrollment/complete.tsx'
import { DropQuestion } from '../../records/enrollment/drop.tsx'
import { EnrolSheet } from './enrol.tsx'
import { MoveSheet } from '../../records/enrollment/move.tsx'
import { useGroup } from '../../records/group/reads.ts'
import { useComingLessons } from '../../records/session/reads.ts'
import { useEnrollments } from '../../records/student/reads.ts'

type Student = Schemas['StudentDetail']

/** What the student is enrolled in, with the next lesson of each group. */
export const Groups = ({ student }: { student: Student }) => {
  const { people } = useWords()
  const { can } = useMe()
  const enrollments = useEnrollments(student.id)
  const [isEnrolling, setEnrolling] = useState(false)
  const [areEarlierShown, setEarlierShown] = useState(false)
  const mayEnrol = can('enrollments.write') && ['lead', 'active', 'paused'].includes(student.status)
  return (
    <Section
      title={people.groups}
      actions={
        mayEnrol && (
          <Button look="quiet" icon="plus" onPress={() => setEnrolling(true)}>
            {people.enrol}
          </Button>
        )
      }
    >
      <div className="card">
        <Loaded query={enrollments}>
          {(all) => {
            const active = all.filter(({ status }) => status === 'active')
            const groupIds = active.map(({ groupId }) => groupId)
            const earlier = all.filter(({ status }) => status !== 'active')
            return (
              <>
                {active.length === 0 && <Empty>{people.noGroups(student.firstName)}</Empty>}
                {active.map((enrollment) => (
                  <GroupRow key={enrollment.id} student={student} enrollment={enrollment} groupIds={groupIds} />
                ))}
                {areEarlierShown &&
                  earlier.map((enrollment) => (
                    <GroupRow key={enrollment.id} student={student} enrollment={enrollment} groupIds={groupIds} />
                  ))}
                {earlier.length > 0 && !areEarlierShown && (
                  <div className="row">
                    <Button look="quiet" onPress={() => setEarlierShown(true)}>
                      {people.earlier(earlier.length)}
                    </Button>
                  </div>
                )}
                <EnrolSheet
                  student={student}
                  groupIds={groupIds}
                  isOpen={isEnrolling}
                  onClose={() => setEnrolling(false)}
                />
              </>
            )
          }}
        </Loaded>
      </div>
    </Section>
  )
}

const NextLesson = ({ groupId }: { groupId: string }) => {
  const { people, shell } = useWords()
  const format = useFormat()
  const coming = useComingLessons(groupId)
  const now = useInstant()
  const next = coming.data?.find(({ scheduledEnd }) => scheduledEnd > now)
  if (coming.data && !next) return people.noNextLesson
  if (!next) return ' '
  if (next.scheduledStart <= now) return people.nowUntil(format.time(next.scheduledEnd))
  const day = format.dateOf(next.scheduledStart)
  const isToday = day === format.today()
  const when = `${isToday ? shell.today : format.longDate(day)} ${format.times(next.scheduledStart, next.scheduledEnd)}`
  return (
    <Dotted>
      {people.nextLesson(when)}
      {next.room !== null && <bdi>{format.room(next.room)}</bdi>}
    </Dotted>
  )
}

interface GroupRowProps {
  student: Student
  enrollment: Schemas['Enrollment']
  /** The groups that the student is in now. */
  groupIds: readonly string[]
}

const GroupRow = ({ student, enrollment, groupIds }: GroupRowProps) => {
  const { people, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { give } = usePaper()
  const [isDropping, setDropping] = useState(false)
  const [isCompleting, setCompleting] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const group = useGroup(enrollment.groupId)
  const name = group.data?.name ?? '…'
  const isActive = enrollment.status === 'active'
  return (
    <div className="row">
      <span className="grow">
        {can('groups.read') ? (
          <Link href={`/groups/${enrollment.groupId}`} className="name link">
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi className="name">{name}</bdi>
        )}
        <span className="about">
          {isActive ? (
            <NextLesson groupId={enrollment.groupId} />
          ) : (
            format.date(format.dateOf(enrollment.droppedAt ?? enrollment.enrolledAt))
          )}
        </span>
      </span>
      {!isActive && <Badge>{people.enrollmentStatuses[enrollment.status]}</Badge>}
      {isActive && can('enrollments.write') && (
        <>
          <Menu
            label={`${shell.more}: ${name}`}
            entries={[
              {
                id: 'certificate',
                label: shell.certificate,
                onSelect: () => void give(`/enrollments/${enrollment.id}/certificate/pdf`),
              },
              { id: 'move', label: people.move, onSelect: () => setMoving(true) },
              { id: 'complete', label: people.complete, onSelect: () => setCompleting(true) },
              { id: 'drop', label: people.drop, isDangerous: true, onSelect: () => setDropping(true) },
            ]}
          />
          <MoveSheet
            enrollmentId={enrollment.id}
            student={student.fullName}
            group={{ id: enrollment.groupId, name }}
            groupIds={groupIds}
            isOpen={isMoving}
            onClose={() => setMoving(false)}
          />
          <CompleteQuestion
            enrollmentId={enrollment.id}
            student={student.fullName}
            group={name}
            isOpen={isCompleting}
            onClose={() => setCompleting(false)}
          />
          <DropQuestion
            enrollmentId={enrollment.id}
            student={student.fullName}
            group={name}
            isOpen={isDropping}
            onClose={() => setDropping(false)}
          />
        </>
      )}
    </div>
  )
}
