import { useState } from 'react'
import { useLocation } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import type { Format } from '../../words/format.ts'
import type { Words } from '../../words/words.ts'
import { HandOverSheet, type Handed } from '../../parts/hand-over.tsx'
import { useTeaches } from '../../records/staff/teaches.ts'
import { MemberGrants } from './member-grants.tsx'
import { MemberReset } from './member-reset.tsx'
import { MemberRoles } from './member-roles.tsx'
import { roleName, type Member } from './reads.ts'

/** Each role once, with the branches for which it holds. */
const rolesOf = ({ roles }: Member, branchNames: ReadonlyMap<string, string>, words: Words, format: Format): string[] =>
  [...new Set(roles.map(({ roleId }) => roleId))].map((id) => {
    const held = roles.filter(({ roleId }) => roleId === id)
    const [{ roleKey, roleName: named }] = held as [Member['roles'][number]]
    const name = roleName(words, { key: roleKey, name: named })
    const branches = held.flatMap(({ branchId }) => branchNames.get(branchId ?? '') ?? [])
    return branches.length === 0 ? name : words.members.roleIn(name, format.list(branches))
  })

type Ask = 'end' | 'letIn' | 'takeBack' | 'remove'
type Opened = 'roles' | 'grants' | 'reset'

/** One member, with what somebody who manages the members can do about them. */
export const MemberRow = ({ member }: { member: Member }) => {
  const all = useWords()
  const { members: words } = all
  const format = useFormat()
  const { can, user, branches } = useMe()
  const [asked, setAsked] = useState<Ask>()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const name = member.fullName || member.email
  const isYou = member.userId === user.id
  const held = rolesOf(member, new Map(branches.map((branch) => [branch.id, branch.name])), all, format)
  return (
    <div className="row">
      <Initials name={name} />
      <span className="grow">
        <span className="chips">
          {member.fullName === '' ? (
            <bdi className="name ltr-text">{member.email}</bdi>
          ) : (
            <bdi className="name">{member.fullName}</bdi>
          )}
          {isYou && <Badge>{words.you}</Badge>}
          {member.hasSecondFactor && <Badge icon="lock">{words.secondStep}</Badge>}
          {member.status === 'invited' && <Badge meaning="info">{words.invited}</Badge>}
          {member.status === 'disabled' && <Badge meaning="bad">{words.disabled}</Badge>}
        </span>
        <span className="about">
          <Dotted>
            {held.map((role) => (
              <bdi key={role}>{role}</bdi>
            ))}
            {member.fullName !== '' && <bdi className="ltr">{member.email}</bdi>}
          </Dotted>
        </span>
      </span>
      {can('members.manage') && <Actions member={member} name={name} isYou={isYou} ask={setAsked} open={setOpened} />}
      <Question member={member} name={name} asked={asked} close={() => setAsked(undefined)} />
      {opened === 'roles' && <MemberRoles member={member} name={name} onClose={close} />}
      {opened === 'grants' && <MemberGrants member={member} name={name} onClose={close} />}
      <MemberReset member={member} name={name} isOpen={opened === 'reset'} onClose={close} />
    </div>
  )
}

interface ActionsProps {
  member: Member
  name: string
  isYou: boolean
  ask: (what: Ask) => void
  open: (what: Opened) => void
}

const Actions = ({ member, name, isYou, ask, open }: ActionsProps) => {
  const all = useWords()
  const { members: words } = all
  const me = useMe()
  const { can, institute } = me
  const { membershipId, status, email } = member
  const { teach } = useTeaches(member)
  const [, go] = useLocation()
  const resend = useChange('member', (_, header) =>
    answer(api.POST('/members/{id}/resend-invitation', { params: { path: { id: membershipId }, header } })),
  )
  const [links, setLinks] = useState<readonly Handed[]>([])
  const sendAgain = () =>
    resend.mutate(undefined, {
      onSuccess: ({ link }) => {
        if (link === null) toast(institute.sendsMail ? words.resent(email) : words.notResent(email))
        else setLinks([{ name: email, link }])
      },
      onError: (error) => toast(explain(all, error)),
    })
  const entries: MenuEntry[] = [
    ...(status === 'invited' ? [{ id: 'resend', label: words.resend, onSelect: sendAgain }] : []),
    { id: 'roles', label: words.changeRoles, onSelect: () => open('roles') },
    ...(status === 'invited' ? [] : [{ id: 'grants', label: words.grants, onSelect: () => open('grants') }]),
    ...(status === 'invited'
      ? []
      : [
          {
            id: 'signedIn',
            label: words.signedIn.open,
            onSelect: () => go(`/settings/people/signed-in?member=${membershipId}`),
          },
        ]),
    ...(status === 'active' && can('staff.write') ? [{ id: 'teaches', label: words.teaches, onSelect: teach }] : []),
    ...(member.hasSecondFactor && !isYou && isOwner(me)
      ? [{ id: 'reset', label: all.factor.reset, onSelect: () => open('reset') }]
      : []),
    ...(status === 'disabled' ? [{ id: 'letIn', label: words.letIn, onSelect: () => ask('letIn') }] : []),
    ...(status === 'active' && !isYou
      ? [{ id: 'end', label: words.end, isDangerous: true, onSelect: () => ask('end') }]
      : []),
    ...(status === 'invited'
      ? [{ id: 'takeBack', label: words.takeBack, isDangerous: true, onSelect: () => ask('takeBack') }]
      : []),
    ...(status === 'disabled' && !isYou
      ? [{ id: 'remove', label: words.remove, isDangerous: true, onSelect: () => ask('remove') }]
      : []),
  ]
  return (
    <>
      <Menu label={words.moreOf(name)} entries={entries} />
      <HandOverSheet links={links} onClose={() => setLinks([])} />
    </>
  )
}

interface QuestionProps {
  member: Member
  name: string
  asked: Ask | undefined
  close: () => void
}

/** Names what will happen before somebody loses or gets their access. */
const Question = ({ member: { membershipId: id }, name, asked, close }: QuestionProps) => {
  const { members: words } = useWords()
  const [last, setLast] = useState<Ask>('end')
  if (asked !== undefined && asked !== last) setLast(asked)
  const change = useChange('member', async (what: Ask): Promise<void> => {
    const params = { path: { id } }
    if (what === 'takeBack' || what === 'remove') await api.DELETE('/members/{id}', { params })
    else await api.PATCH('/members/{id}', { params, body: { status: what === 'end' ? 'disabled' : 'active' } })
  })
  const { title, text, verb, done } = words.asks[last]
  return (
    <Confirm
      title={title(name)}
      verb={verb}
      isDangerous={last !== 'letIn'}
      isOpen={asked !== undefined}
      onClose={close}
      onConfirm={async () => {
        await change.mutateAsync(last)
        toast(done(name))
      }}
    >
      <p>{text}</p>
    </Confirm>
  )
}
