import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check } from '../../parts/choose.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { BranchChecks } from './branch-checks.tsx'
import { isFamilyRole, roleName, useRoles, type Member, type Role } from './reads.ts'
import { RoleWords } from './role-words.tsx'

type Held = Schemas['MemberRoles']['roles']

/** Changes the roles of somebody, and for which branches each of them holds. */
export const MemberRoles = ({ member, name, onClose }: { member: Member; name: string; onClose: () => void }) => {
  const { members: words } = useWords()
  const roles = useRoles()
  const save = useChange('member', (body: Schemas['MemberRoles']) =>
    answer(api.PUT('/members/{id}/roles', { params: { path: { id: member.membershipId } }, body })),
  )
  const form = useForm<Schemas['MemberRoles']>({
    start: () => ({ roles: member.roles.map(({ roleId, branchId }) => ({ roleId, branchId })) }),
    bounds: BOUNDS.MemberRoles,
    missing: words.noRole,
    send: async (typed) => {
      await save.mutateAsync(typed)
      toast(words.rolesSaved(name))
      onClose()
    },
  })
  const { value: held, onChange, error } = form.field('roles')
  return (
    <Sheet title={words.rolesOf(name)} isOpen isBroad onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Loaded query={roles}>
          {(all) => (
            <ul {...(error !== undefined && { 'data-invalid': true })}>
              {all
                .filter(({ id, key }) => !isFamilyRole(key) || member.roles.some(({ roleId }) => roleId === id))
                .map((role) => (
                  <li key={role.id}>
                    <OneRole role={role} held={held} onChange={onChange} />
                  </li>
                ))}
            </ul>
          )}
        </Loaded>
        {error !== undefined && (
          <p className="error" role="alert">
            {error}
          </p>
        )}
      </Form>
    </Sheet>
  )
}

interface OneRoleProps {
  role: Role
  held: Held
  onChange: (held: Held) => void
}

const OneRole = ({ role, held, onChange }: OneRoleProps) => {
  const words = useWords()
  const { branches } = useMe()
  const own = held.filter(({ roleId }) => roleId === role.id)
  const others = held.filter(({ roleId }) => roleId !== role.id)
  const everywhere = { roleId: role.id, branchId: null }
  const setBranches = (branchIds: readonly string[]) =>
    onChange([
      ...others,
      ...(branchIds.length === 0 ? [everywhere] : branchIds.map((branchId) => ({ roleId: role.id, branchId }))),
    ])
  return (
    <>
      <Check isChecked={own.length > 0} onChange={(isOn) => onChange(isOn ? [...others, everywhere] : others)}>
        {roleName(words, role)}
      </Check>
      {own.length > 0 && (
        <div className="below-check wide">
          <RoleWords role={role} />
          {/* Owners own all of it. */}
          {branches.length > 1 && role.key !== 'owner' && (
            <BranchChecks value={own.flatMap(({ branchId }) => branchId ?? [])} onChange={setBranches} />
          )}
        </div>
      )}
    </>
  )
}
