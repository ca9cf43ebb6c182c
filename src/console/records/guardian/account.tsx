import { useState } from 'react'
import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { readAll, useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { HandOverSheet, type Handed } from '../../parts/hand-over.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

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

interface Address {
  email: string
}

/** One guardian's account: that there is one, that it is waited for, or a button that invites. */
export const GuardianAccount = ({ account }: { account: Account }) => {
  const words = useWords()
  const { family, members } = words
  const { institute } = useMe()
  const [isAsking, setAsking] = useState(false)
  const { id, fullName, email, membershipId } = account
  const invite = useChange('member', (to: string, header) =>
    answer(api.POST('/guardians/{id}/invite', { params: { path: { id }, header }, body: { email: to } })),
  )
  const again = useChange('member', (membership: string, header) =>
    answer(api.POST('/members/{id}/resend-invitation', { params: { path: { id: membership }, header } })),
  )
  const [links, setLinks] = useState<readonly Handed[]>([])
  const said = {
    onSuccess: ({ link }: Schemas['Invitation']) => {
      if (link === null) toast(institute.sendsMail ? family.inviteSent(fullName) : members.notSent(1))
      else setLinks([{ name: fullName, link }])
    },
    onError: (error: unknown) => toast(explain(words, error)),
  }
  const form = useForm<Address>({
    start: { email: '' },
    rules: ({ email: typed }) => ({ email: typed.trim() === '' && members.noAddress }),
    send: async ({ email: typed }) => {
      const invitation = await invite.mutateAsync(typed.trim())
      setAsking(false)
      said.onSuccess(invitation)
    },
  })
  const handing = <HandOverSheet links={links} onClose={() => setLinks([])} />
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
      <Button
        look="quiet"
        icon="plus"
        aria-label={family.inviteOf(fullName)}
        isBusy={invite.isPending}
        onPress={() => (email === null ? setAsking(true) : invite.mutate(email, said))}
      >
        {family.invite}
      </Button>
      <Sheet title={family.inviteOf(fullName)} isOpen={isAsking} onClose={() => setAsking(false)}>
        <Form
          form={form}
          verb={institute.sendsMail ? members.send(1) : members.record}
          onCancel={() => setAsking(false)}
        >
          {!institute.sendsMail && <Notice meaning="warn">{members.noMail}</Notice>}
          <Field label={words.people.email} type="email" autoFocus {...form.field('email')} />
          <p className="hint spaced">
            {family.inviteAbout}
            {institute.sendsMail && ` ${family.inviteSends}`}
          </p>
        </Form>
      </Sheet>
    </>
  )
}
