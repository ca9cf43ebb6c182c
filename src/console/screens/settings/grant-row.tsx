import { useState, type ReactNode } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface GrantRowProps {
  grant: Schemas['AssistantGrant']
  membershipId: string
  /** In whose name it acts, and what they are; undefined: that stands above. */
  whose?: ReactNode
}

/** An assistant that acts in somebody's name, with a way to end it. */
export const GrantRow = ({ grant, membershipId, whose }: GrantRowProps) => {
  const { members: words } = useWords()
  const format = useFormat()
  // Asked in its row: no window stands over another one.
  const [isAsked, setAsked] = useState(false)
  const { id, clientName, createdAt, lastUsedAt } = grant
  const end = useChange(
    'memberGrant',
    () => answer(api.DELETE('/members/{id}/grants/{grantId}', { params: { path: { id: membershipId, grantId: id } } })),
    () => toast(words.grantEnded(clientName)),
  )
  const since = format.date(format.dateOf(createdAt))
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{clientName}</bdi>
        {whose !== undefined && <span className="about">{whose}</span>}
        <span className="about">
          {lastUsedAt === null ? words.grantNever(since) : words.grantSince(since, format.moment(lastUsedAt))}
        </span>
        {isAsked && <span className="report">{words.grantEndSure(clientName)}</span>}
        {end.error && <ProblemNotice problem={end.error} />}
      </span>
      <Button
        look={isAsked ? 'danger' : 'plain'}
        isBusy={end.isPending}
        aria-label={isAsked ? words.grantEndNow : words.grantEndOf(clientName)}
        onPress={() => (isAsked ? end.mutate(undefined) : setAsked(true))}
      >
        {isAsked ? words.grantEndNow : words.grantEnd}
      </Button>
    </div>
  )
}
