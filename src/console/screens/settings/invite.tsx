import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { afterChange } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { BranchChecks } from './branch-checks.tsx'
import { isFamilyRole, roleName, useMail, useRoles } from './reads.ts'
import { RoleWords } from './role-words.tsx'
import { addressesIn } from './typed.ts'

interface Typed {
  /** As they are typed or pasted. */
  emails: string
  roleId: string | null
  branchIds: string[]
}

/** Writes to people who are to work here: several at once, as they are all teachers on the first day. */
export const Invite = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const words = useWords()
  const { members } = words
  const me = useMe()
  const { branches } = me
  const mail = useMail(!isOpen || !isOwner(me))
  const roles = useRoles(!isOpen)
  const [failed, setFailed] = useState<readonly { email: string; why: string }[]>([])
  const intents = useIntents()
  const form = useForm<Typed>({
    start: { emails: '', roleId: null, branchIds: [] },
    bounds: { roleId: BOUNDS.NewMember.roleId },
    missing: members.chooseRole,
    rules: (typed) => ({ emails: addressesIn(typed.emails).length === 0 && members.noAddress }),
    send: async () => {
      const refused: { email: string; why: string }[] = []
      for (const email of emails) {
        await invite(email).catch((error: unknown) => refused.push({ email, why: explain(words, error) }))
      }
      await afterChange('member')
      setFailed(refused)
      const sent = emails.length - refused.length
      if (sent > 0) toast(members.sent(sent))
      // Those that were refused stay, to be mended.
      form.set({ emails: refused.map(({ email }) => email).join('\n') })
      if (refused.length === 0) onClose()
    },
  })
  const { roleId, branchIds } = form.typed
  const emails = addressesIn(form.typed.emails)
  const role = roles.data?.find(({ id }) => id === roleId)
  const isForBranches = branchIds.length > 0 && role?.key !== 'owner'

  const invite = (email: string) => {
    const body = {
      email,
      roleId: roleId ?? '',
      ...(isForBranches && { branchIds }),
      // Groups are taught by those who have a record among the staff.
      ...(role?.key === 'teacher' && me.can('staff.write') && { joinsStaff: true }),
    }
    return intents.of(email).once(body, (header) => answer(api.POST('/members', { params: { header }, body })))
  }
  return (
    <Sheet title={members.invite} isOpen={isOpen} isBroad onClose={onClose}>
      <Form form={form} verb={members.send(emails.length)} onCancel={onClose}>
        {mail.data?.server === null && (
          <Notice meaning="warn">
            <span className="grow">{members.noMail}</span>
            <ButtonLink look="quiet" to="/settings/mail">
              {members.toMail}
            </ButtonLink>
          </Notice>
        )}
        {failed.map(({ email, why }) => (
          <Notice key={email} meaning="bad" isAlert>
            <span className="grow">{members.failedFor(email, why)}</span>
          </Notice>
        ))}
        <LongField
          label={members.emails}
          hint={members.emailsHint}
          maxLength={5000}
          autoFocus
          {...form.field('emails')}
        />
        <Choice
          label={members.role}
          placeholder={members.chooseRole}
          options={(roles.data ?? [])
            .filter(({ key }) => !isFamilyRole(key))
            .map((one) => ({ id: one.id, label: roleName(words, one) }))}
          {...form.field('roleId')}
        />
        {role && (
          <div className="card padded spaced">
            <RoleWords role={role} />
          </div>
        )}
        {branches.length > 1 && role?.key !== 'owner' && <BranchChecks {...form.field('branchIds')} />}
        <p className="small spaced">{members.inviteAbout}</p>
      </Form>
    </Sheet>
  )
}
