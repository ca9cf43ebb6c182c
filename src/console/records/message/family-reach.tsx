import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Notice } from '../../parts/notice.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/** That mails wait for a mailbox, with the way to it for who may set it up. */
export const NoMailbox = () => {
  const { calls: words } = useWords()
  const me = useMe()
  return (
    <span className="report">
      {words.noMailbox}{' '}
      {isOwner(me) && (
        <Link href="/settings/mail" className="link">
          {words.setUpMailbox}
        </Link>
      )}
    </span>
  )
}

/** Before something is announced to families: how many hear of it, how many are called, and how many cannot be told. */
export const FamilyReach = ({ branchId }: { branchId: string | null }) => {
  const { calls: words } = useWords()
  const query = branchId === null ? {} : { branchId }
  const reach = useGet(['/notifications/reach', branchId], (signal) =>
    answer(api.GET('/notifications/reach', { params: { query }, signal })),
  )
  if (!reach.data || reach.data.people === 0) return null
  const { people, reached, toCall, unreached, hasMailbox } = reach.data
  if (reached === people) return <p className="soft">{words.allReached(people)}</p>
  return (
    <Notice meaning="warn">
      <span className="grow">
        {words.someReached(reached, people)}
        {toCall > 0 && <span className="report">{words.willCall(toCall)}</span>}
        {unreached > 0 && <span className="report">{words.cannot(unreached)}</span>}
        {!hasMailbox && <NoMailbox />}
      </span>
    </Notice>
  )
}
