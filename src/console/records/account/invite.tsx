import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { HandOverSheet, type Handed } from '../../parts/hand-over.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'

/**
 * What becomes of an invitation: it is on its way, or its link is to be handed over. It belongs to what stays on the
 * page: the button is gone once somebody is invited.
 */
export const useInvited = (fullName: string) => {
  const { family, members } = useWords()
  const { institute } = useMe()
  const [links, setLinks] = useState<readonly Handed[]>([])
  return {
    tell: ({ link }: Schemas['Invitation']) => {
      if (link === null) toast(institute.sendsMail ? family.inviteSent(fullName) : members.notSent(1))
      else setLinks([{ name: fullName, link }])
    },
    handing: <HandOverSheet links={links} onClose={() => setLinks([])} />,
  }
}

interface InviteProps {
  kind: 'guardian' | 'student'
  person: { id: string; fullName: string; email: string | null }
  onInvited: (invitation: Schemas['Invitation']) => void
}

/** A button that invites somebody to an account of their own; it asks for the address where the record has none. */
export const Invite = ({ kind, person: { id, fullName, email }, onInvited }: InviteProps) => {
  const words = useWords()
  const { family, members } = words
  const { institute } = useMe()
  const [isAsking, setAsking] = useState(false)
  const invite = useChange(
    'member',
    (to: string, header) =>
      answer(api.POST(`/${kind}s/{id}/invite`, { params: { path: { id }, header }, body: { email: to } })),
    onInvited,
  )
  const form = useForm({
    start: { email: '' },
    rules: ({ email: typed }) => ({ email: typed.trim() === '' && members.noAddress }),
    send: async ({ email: typed }) => {
      await invite.mutateAsync(typed.trim())
      setAsking(false)
    },
  })
  const send = (to: string) => invite.mutate(to, { onError: (error) => toast(explain(words, error)) })
  return (
    <>
      <Button
        look="quiet"
        icon="plus"
        aria-label={family.inviteOf(fullName)}
        isBusy={invite.isPending}
        onPress={() => (email === null ? setAsking(true) : send(email))}
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
            {kind === 'student' ? family.inviteStudentAbout : family.inviteAbout}
            {institute.sendsMail && ` ${kind === 'student' ? family.inviteStudentSends : family.inviteSends}`}
          </p>
        </Form>
      </Sheet>
    </>
  )
}
