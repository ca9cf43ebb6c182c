import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { afterChange } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Form, LongField } from '../../parts/field.tsx'
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

/** Writes to people who are to work here: several at once, as they are all teachers on the first day. */
export const Invite = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const words = useWords()
  const { members, shell } = words
  const me = useMe()
  const { branches } = me
  const mail = useMail(!isOpen || !isOwner(me))
  const roles = useRoles(!isOpen)
  const [typed, setTyped] = useState('')
  const [roleId, setRoleId] = useState<string | null>(null)
  const [branchIds, setBranchIds] = useState<string[]>([])
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<readonly { email: string; why: string }[]>([])
  const intents = useIntents()
  const emails = addressesIn(typed)
  const role = roles.data?.find(({ id }) => id === roleId)
  const isForBranches = branchIds.length > 0 && role?.key !== 'owner'

  const invite = (email: string, forRole: string) => {
    const body = {
      email,
      roleId: forRole,
      ...(isForBranches && { branchIds }),
      // Groups are taught by those who have a record among the staff.
      ...(role?.key === 'teacher' && me.can('staff.write') && { joinsStaff: true }),
    }
    return intents.of(email).once(body, (header) => answer(api.POST('/members', { params: { header }, body })))
  }
  const submit = async () => {
    setTried(true)
    if (emails.length === 0 || roleId === null || isBusy) return
    setBusy(true)
    const refused: { email: string; why: string }[] = []
    for (const email of emails) {
      await invite(email, roleId).catch((error: unknown) => refused.push({ email, why: explain(words, error) }))
    }
    await afterChange('member')
    setBusy(false)
    setFailed(refused)
    const sent = emails.length - refused.length
    if (sent > 0) toast(members.sent(sent))
    // Those that were refused stay, to be mended.
    setTyped(refused.map(({ email }) => email).join('\n'))
    if (refused.length > 0) return
    setTried(false)
    onClose()
  }
  return (
    <Sheet title={members.invite} isOpen={isOpen} isBroad onClose={onClose}>
      <Form onSubmit={() => void submit()}>
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
          value={typed}
          onChange={setTyped}
          error={isTried && emails.length === 0 ? members.noAddress : undefined}
          maxLength={5000}
          autoFocus
        />
        <Choice
          label={members.role}
          placeholder={members.chooseRole}
          options={(roles.data ?? [])
            .filter(({ key }) => !isFamilyRole(key))
            .map((one) => ({ id: one.id, label: roleName(words, one) }))}
          value={roleId}
          onChange={setRoleId}
          error={isTried && roleId === null ? members.chooseRole : undefined}
        />
        {role && (
          <div className="card padded spaced">
            <RoleWords role={role} />
          </div>
        )}
        {branches.length > 1 && role?.key !== 'owner' && <BranchChecks value={branchIds} onChange={setBranchIds} />}
        <p className="small spaced">{members.inviteAbout}</p>
        <div className="actions">
          <Button onPress={onClose}>{shell.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {members.send(emails.length)}
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
