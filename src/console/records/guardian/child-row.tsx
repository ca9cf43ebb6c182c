import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { PersonRow } from '../../parts/person.tsx'

interface ChildRowProps {
  child: Schemas['FamilyChild']
  end?: ReactNode
}

/** A child of a guardian, with the groups that it is in. */
export const ChildRow = ({ child, end }: ChildRowProps) => (
  <PersonRow
    to={`/students/${child.studentId}`}
    name={child.fullName}
    about={
      <Dotted>
        <span className="ltr">{child.studentNumber}</span>
        {child.groups.map(({ groupId, groupName }) => (
          <bdi key={groupId}>{groupName}</bdi>
        ))}
      </Dotted>
    }
    {...(end !== undefined && { end })}
  />
)
