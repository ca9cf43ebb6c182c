import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Initials } from '../../parts/person.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { isFamilyRole, nameOfMember, roleName, useHolders, useRoles, type Role } from './reads.ts'
import { LookAs } from './look-as.tsx'
import { RoleForm, useRoleForm } from './role-form.tsx'
import { RoleWords } from './role-words.tsx'

/** `/settings/roles/:id`: what one role may do, and who has it. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { looking, members, roles: words } = useWords()
  const { filters } = useFilters(['looked'])
  const roles = useRoles()
  const role = roles.data?.find((one) => one.id === id)
  return (
    <>
      <Back to="/settings/roles" label={members.roles} />
      {filters.looked !== undefined && (
        <div className="notices">
          <Notice meaning="info">
            <span className="grow">{looking.over}</span>
          </Notice>
        </div>
      )}
      {role ? (
        <One role={role} />
      ) : (
        <Page title={members.roles}>
          <Loaded query={roles}>
            {() => (
              <div className="card">
                <Empty>{words.gone}</Empty>
              </div>
            )}
          </Loaded>
        </Page>
      )}
    </>
  )
}

const One = ({ role }: { role: Role }) => {
  const all = useWords()
  const { roles: words } = all
  const { can } = useMe()
  const name = roleName(all, role)
  const isOwn = !role.isSystem
  const mayManage = can('roles.manage')
  const [act, setAct] = useState<'change' | 'end' | 'look'>()
  const close = () => setAct(undefined)
  return (
    <Page
      name={name}
      title={<bdi>{name}</bdi>}
      about={<Badge>{isOwn ? words.own : words.builtIn}</Badge>}
      actions={
        mayManage && (
          <>
            {role.key !== 'owner' && <Button onPress={() => setAct('look')}>{all.looking.begin}</Button>}
            {!isFamilyRole(role.key) && (
              <ButtonLink to={`/settings/roles/new?from=${role.id}`}>{words.copy}</ButtonLink>
            )}
            {isOwn && (
              <>
                <Button look="primary" onPress={() => setAct('change')}>
                  {words.change}
                </Button>
                <Menu
                  label={all.shell.more}
                  entries={[{ id: 'end', label: words.end, isDangerous: true, onSelect: () => setAct('end') }]}
                />
              </>
            )}
          </>
        )
      }
    >
      <div className="two">
        <Section title={words.may}>
          <div className="card padded">
            {role.description !== null && (
              <p dir="auto" className="written">
                {role.description}
              </p>
            )}
            <RoleWords role={role} />
            {!isOwn && mayManage && <p className="hint below">{words.fixed}</p>}
          </div>
        </Section>
        <Holders role={role} />
      </div>
      {act === 'look' && <LookAs roles={[role]} onClose={close} />}
      {act === 'change' && <Change role={role} onClose={close} />}
      <End role={role} isOpen={act === 'end'} onClose={close} />
    </Page>
  )
}

const Holders = ({ role }: { role: Role }) => {
  const { roles: words, members } = useWords()
  const holders = useHolders().get(role.id) ?? []
  return (
    <Section title={words.holders}>
      <div className="card">
        {holders.length === 0 ? (
          <Empty>
            <p>{isFamilyRole(role.key) ? words.families : words.noHolders}</p>
            <ButtonLink to="/settings/people">{members.title}</ButtonLink>
          </Empty>
        ) : (
          <ul aria-label={words.holders}>
            {holders.map((member) => (
              <li key={member.membershipId}>
                <div className="row">
                  <Initials name={nameOfMember(member)} />
                  <span className="grow">
                    <bdi className="name">{nameOfMember(member)}</bdi>
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

const Change = ({ role, onClose }: { role: Role; onClose: () => void }) => {
  const { roles: words, shell } = useWords()
  const { id, name, description, permissions, version } = role
  const save = useChange('role', (body: Schemas['RoleChanges']) =>
    answer(api.PATCH('/roles/{id}', { params: { path: { id } }, body })),
  )
  const form = useRoleForm({ name, description: description ?? '', permissions }, async (typed) => {
    await save.mutateAsync({ ...typed, description: typed.description || null, version })
    toast(words.saved(typed.name))
    onClose()
  })
  return (
    <Sheet title={words.change} isOpen isBroad onClose={onClose}>
      <RoleForm form={form} verb={shell.save} onCancel={onClose} />
    </Sheet>
  )
}

const End = ({ role, isOpen, onClose }: { role: Role; isOpen: boolean; onClose: () => void }) => {
  const { roles: words } = useWords()
  const format = useFormat()
  const [, go] = useLocation()
  const holders = useHolders().get(role.id) ?? []
  const end = useChange('role', () => answer(api.DELETE('/roles/{id}', { params: { path: { id: role.id } } })))
  return (
    <Confirm
      title={words.endTitle(role.name)}
      verb={words.end}
      isDangerous
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await end.mutateAsync(undefined)
        toast(words.ended(role.name))
        go('/settings/roles')
      }}
    >
      <p>{holders.length === 0 ? words.endText : words.endHeld(format.list(holders.map(nameOfMember)))}</p>
    </Confirm>
  )
}
