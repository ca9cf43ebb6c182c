import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Badge } from '../../parts/notice.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { Invite, useInvited } from '../account/invite.tsx'

/** A student's own account: that there is one, or for who invites people a button that does. */
export const StudentAccount = ({ student }: { student: Schemas['StudentDetail'] }) => {
  const { family, members } = useWords()
  const { canEverywhere, institute } = useMe()
  const [isInvited, setInvited] = useState(false)
  const { tell, handing } = useInvited(student.fullName)
  if (student.userId !== null) return <Badge meaning="good">{family.hasAccount}</Badge>
  if (!canEverywhere('members.manage') || institute.isReadOnly) return null
  return (
    <>
      {handing}
      {isInvited ? (
        <Badge meaning="info">{members.invited}</Badge>
      ) : (
        <Invite
          kind="student"
          person={student}
          onInvited={(invitation) => {
            setInvited(true)
            tell(invitation)
          }}
        />
      )}
    </>
  )
}
