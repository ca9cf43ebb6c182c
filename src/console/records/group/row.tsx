import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Group = Schemas['Group']

export const isFull = ({ capacity, enrolledCount }: Group): boolean => capacity !== null && enrolledCount >= capacity

interface GroupRowProps {
  group: Group
  teacher: string | undefined
  /** Whether the page is that of the course. */
  isOfCourse?: boolean
}

export const GroupRow = ({ group, teacher, isOfCourse = false }: GroupRowProps) => {
  const format = useFormat()
  return (
    <Link href={`/groups/${group.id}`} className="row">
      <span className="grow">
        <bdi className="name">{group.name}</bdi>
        <span className="about">
          <Dotted>
            {!isOfCourse && <bdi>{group.courseName}</bdi>}
            {teacher !== undefined && <bdi>{teacher}</bdi>}
            {group.room !== null && <bdi>{format.room(group.room)}</bdi>}
          </Dotted>
        </span>
      </span>
      <span className="ends">
        {group.status !== 'active' && <GroupStatus status={group.status} />}
        <Seats group={group} />
      </span>
      <Icon name="forward" />
    </Link>
  )
}

export const GroupStatus = ({ status }: { status: Group['status'] }) => {
  const { groups: words } = useWords()
  return <Badge {...(status === 'active' && { meaning: 'good' })}>{words.statuses[status]}</Badge>
}

/** How many places are taken, in words. */
export const Seats = ({ group }: { group: Group }) => {
  const { groups: words } = useWords()
  const { capacity, enrolledCount } = group
  if (isFull(group)) return <Badge meaning="warn">{words.full}</Badge>
  return (
    <span className="soft">
      {capacity === null ? words.students(enrolledCount) : words.seats(enrolledCount, capacity)}
    </span>
  )
}
