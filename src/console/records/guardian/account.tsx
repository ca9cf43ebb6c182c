import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { readAll, useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Badge } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { Invite, useInvited } from '../account/invite.tsx'

export type Account = Schemas['DirectoryGuardian']

/** Whether the reader invites families to accounts of their own. */
export const useInvitesFamilies = (): boolean => {
  const { can, canEverywhere, institute } = useMe()
  return canEverywhere('members.manage') && can('guardians.read') && !institute.isReadOnly
}

/** Guardians, and whether they come in with an account of their own; nothing for who invites nobody. */
export const useAccounts = (of: Pick<Query<'/directory/guardians'>, 'guardianId' | 'studentId' | 'groupId'>) => {
  const invites = useInvitesFamilies()
  return useGet(
    ['/directory/guardians', 'accounts', of],
    (signal) =>
      readAll((cursor) =>
        answer(api.GET('/directory/guardians', { params: { query: { ...of, limit: 100, cursor } }, signal })),
      ),
    { isOff: !invites },
  )
}

/** One guardian's account: that there is one, that it is waited for, or a button that invites. */
export const GuardianAccount = ({ account }: { account: Account }) => {
  const words = useWords()
  const { family, members } = words
  const { fullName, membershipId } = account
  const { tell, handing } = useInvited(fullName)
  const again = useChange('member', (membership: string, header) =>
    answer(api.POST('/members/{id}/resend-invitation', { params: { path: { id: membership }, header } })),
  )
  const said = { onSuccess: tell, onError: (error: unknown) => toast(explain(words, error)) }
  if (account.account === 'active') return <Badge meaning="good">{family.hasAccount}</Badge>
  if (account.account === 'invited') {
    return (
      <>
        {handing}
        <Badge meaning="info">{members.invited}</Badge>
        {membershipId !== null && (
          <Button look="quiet" isBusy={again.isPending} onPress={() => again.mutate(membershipId, said)}>
            {members.resend}
          </Button>
        )}
      </>
    )
  }
  return (
    <>
      {handing}
      <Invite kind="guardian" person={account} onInvited={tell} />
    </>
  )
}
