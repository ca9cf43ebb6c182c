import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Member } from './reads.ts'

type Grant = Schemas['AssistantGrant']

const MOST = 100

/** The assistants that act in the name of somebody, each with a way to end it. */
export const MemberGrants = ({ member, name, onClose }: { member: Member; name: string; onClose: () => void }) => {
  const { members: words, shell } = useWords()
  const id = member.membershipId
  const grants = useGet(['/members', id, 'grants'], (signal) =>
    answer(api.GET('/members/{id}/grants', { params: { path: { id }, query: { limit: MOST } }, signal })),
  )
  return (
    <Sheet title={words.grantsOf(name)} isOpen onClose={onClose}>
      <p className="soft">{words.grantsAbout}</p>
      <Loaded query={grants}>
        {({ data }) => (
          <div className="card">
            {data.length === 0 ? (
              <Empty>{words.noGrants}</Empty>
            ) : (
              <ul aria-label={words.grants}>
                {data.map((grant) => (
                  <li key={grant.id}>
                    <Row grant={grant} membershipId={id} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
      </div>
    </Sheet>
  )
}

const Row = ({ grant, membershipId }: { grant: Grant; membershipId: string }) => {
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
