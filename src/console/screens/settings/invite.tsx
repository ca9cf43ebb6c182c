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
import { HandOverSheet, type Handed } from '../../parts/hand-over.tsx'
import { useStaffByName } from '../../records/staff/reads.ts'
import { BranchChecks } from './branch-checks.tsx'
import { isFamilyRole, roleName, useRoles } from './reads.ts'
import { RoleWords } from './role-words.tsx'
import { addressesIn } from './typed.ts'

interface Typed {
  /** As they are typed or pasted. */
  emails: string
  roleId: string | null
  branchIds: string[]
  /** Who of those who teach by name alone it is; '': somebody new; null: nobody has said, so whoever has the address. */
  staffId: string | null
}

/** Writes to people who are to work here: several at once, as they are all teachers on the first day. */
export const Invite = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const words = useWords()
  const { members } = words
  const me = useMe()
  const { branches } = me
  const roles = useRoles(!isOpen)
  const [failed, setFailed] = useState<readonly { email: string; why: string }[]>([])
  const [links, setLinks] = useState<readonly Handed[]>([])
  const intents = useIntents()
  const byName = useStaffByName(!isOpen)
  const recordWith = (email: string) => byName.find((one) => one.email?.toLowerCase() === email.toLowerCase())?.id
  const isTeacherIn = (typed: Typed) => roles.data?.find(({ id }) => id === typed.roleId)?.key === 'teacher'
  /** Whom one teacher of several who teach by name alone is: guessed wrong, they would be there twice. */
  const asksWhose = (typed: Typed) => isTeacherIn(typed) && addressesIn(typed.emails).length === 1 && byName.length > 0
  const form = useForm<Typed>({
    start: { emails: '', roleId: null, branchIds: [], staffId: null },
    bounds: { roleId: BOUNDS.NewMember.roleId },
    missing: members.chooseRole,
    rules: (typed) => ({
      staffId:
        asksWhose(typed) &&
        typed.staffId === null &&
        recordWith(addressesIn(typed.emails)[0] ?? '') === undefined &&
        members.chooseWhose,
      emails: addressesIn(typed.emails).length === 0 && members.noAddress,
    }),
    send: async () => {
      const refused: { email: string; why: string }[] = []
      const given: Handed[] = []
      for (const email of emails) {
        await invite(email).then(
          ({ link }) => link !== null && given.push({ name: email, link }),
          (error: unknown) => refused.push({ email, why: explain(words, error) }),
        )
      }
      await afterChange('member')
      setFailed(refused)
      const sent = emails.length - refused.length
      if (sent > given.length) toast(me.institute.sendsMail ? members.sent(sent) : members.notSent(sent))
      setLinks(given)
      // Those that were refused stay, to be mended.
      form.set({ emails: refused.map(({ email }) => email).join('\n') })
      if (refused.length + given.length === 0) onClose()
    },
  })
  const { roleId, branchIds, staffId } = form.typed
  const emails = addressesIn(form.typed.emails)
  const role = roles.data?.find(({ id }) => id === roleId)
  const isForBranches = branchIds.length > 0 && role?.key !== 'owner'

  const isTeacher = isTeacherIn(form.typed)
  const recordOf = (email: string): string | undefined => {
    if (!isTeacher) return undefined
    return emails.length === 1 ? (staffId ?? recordWith(email)) : recordWith(email)
  }

  const invite = (email: string) => {
    const id = recordOf(email)
    const asked = { email, roleId: roleId ?? '', ...(isForBranches && { branchIds }) }
    if (id) {
      return intents
        .of(email)
        .once({ id, ...asked }, (header) =>
          answer(api.POST('/staff/{id}/invite', { params: { path: { id }, header }, body: asked })),
        )
    }
    const body = {
      ...asked,
      // Groups are taught by those who have a record among the staff.
      ...(isTeacher && me.can('staff.write') && { joinsStaff: true }),
    }
    return intents.of(email).once(body, (header) => answer(api.POST('/members', { params: { header }, body })))
  }
  if (links.length > 0) {
    const close = () => {
      setLinks([])
      if (failed.length === 0) onClose()
    }
    return <HandOverSheet links={links} onClose={close} />
  }
  return (
    <Sheet title={members.invite} isOpen={isOpen} isBroad onClose={onClose}>
      <Form form={form} verb={me.institute.sendsMail ? members.send(emails.length) : members.record} onCancel={onClose}>
        {!me.institute.sendsMail && (
          <Notice meaning="warn">
            <span className="grow">{members.noMail}</span>
            {isOwner(me) && (
              <ButtonLink look="quiet" to="/settings/mail">
                {members.toMail}
              </ButtonLink>
            )}
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
        {asksWhose(form.typed) && (
          <Choice
            label={members.whose}
            hint={members.whoseHint}
            options={[
              { id: '', label: members.somebodyNew },
              ...byName.map(({ id, fullName }) => ({ id, label: fullName })),
            ]}
            {...form.field('staffId')}
            value={recordOf(emails[0] ?? '') ?? null}
            placeholder={members.chooseWhose}
          />
        )}
        {isTeacher && emails.length > 1 && byName.length > 0 && <p className="soft spaced">{members.whoseEach}</p>}
        {role && (
          <div className="card padded spaced">
            <RoleWords role={role} />
          </div>
        )}
        {branches.length > 1 && role?.key !== 'owner' && <BranchChecks {...form.field('branchIds')} />}
        {me.institute.sendsMail && <p className="small spaced">{members.inviteAbout}</p>}
      </Form>
    </Sheet>
  )
}
