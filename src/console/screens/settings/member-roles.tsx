import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Form } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
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
  const { members: words, shell } = useWords()
  const roles = useRoles()
  const [held, setHeld] = useState<Held>(() => member.roles.map(({ roleId, branchId }) => ({ roleId, branchId })))
  const [isTried, setTried] = useState(false)
  const save = useChange('member', (body: Schemas['MemberRoles']) =>
    answer(api.PUT('/members/{id}/roles', { params: { path: { id: member.membershipId } }, body })),
  )
  const submit = async () => {
    setTried(true)
    if (held.length === 0 || save.isPending) return
    try {
      await save.mutateAsync({ roles: held })
    } catch {
      return
    }
    toast(words.rolesSaved(name))
    onClose()
  }
  return (
    <Sheet title={words.rolesOf(name)} isOpen isBroad onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        {save.error && <ProblemNotice problem={save.error} />}
        <Loaded query={roles}>
          {(all) => (
            <ul>
              {all
                .filter(({ id, key }) => !isFamilyRole(key) || member.roles.some(({ roleId }) => roleId === id))
                .map((role) => (
                  <li key={role.id}>
                    <OneRole role={role} held={held} onChange={setHeld} />
                  </li>
                ))}
            </ul>
          )}
        </Loaded>
        {isTried && held.length === 0 && (
          <p className="error" role="alert">
            {words.noRole}
          </p>
        )}
        <div className="actions">
          <Button onPress={onClose}>{shell.cancel}</Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {shell.save}
          </Button>
        </div>
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
