import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { isFamilyRole, roleName, useRoles, type Role } from './reads.ts'
import { RoleForm, useRoleForm } from './role-form.tsx'

const NOTHING = ''

/** `/settings/roles/new`: a role of the institute's own, which may begin as a copy of another one. */
export const Screen = () => {
  const { members, roles: words } = useWords()
  const roles = useRoles()
  return (
    <>
      <Back to="/settings/roles" label={members.roles} />
      <Page title={words.add} hasOwnFocus>
        <div className="narrow">
          <Loaded query={roles}>{(all) => <New roles={all} />}</Loaded>
        </div>
      </Page>
    </>
  )
}

const New = ({ roles }: { roles: readonly Role[] }) => {
  const all = useWords()
  const { roles: words } = all
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const model = roles.find(({ id }) => id === params.get('from'))
  const [from, setFrom] = useState(model?.id ?? NOTHING)
  const make = useChange('role', (body: Schemas['NewRole'], header) =>
    answer(api.POST('/roles', { body, params: { header } })),
  )
  const form = useRoleForm(
    {
      name: model ? words.copyOf(roleName(all, model)) : '',
      description: model?.description ?? '',
      permissions: model?.permissions ?? [],
    },
    async ({ name, description, permissions }) => {
      const { id } = await make.mutateAsync({ name, permissions, ...(description !== '' && { description }) })
      toast(words.made(name))
      go(`/settings/roles/${id}`)
    },
  )
  const begin = (id: string) => {
    setFrom(id)
    form.set({ permissions: roles.find((role) => role.id === id)?.permissions ?? [] })
  }
  return (
    <RoleForm form={form} verb={words.add}>
      <Choice
        label={words.startFrom}
        options={[
          { id: NOTHING, label: words.fromNothing },
          ...roles.filter(({ key }) => !isFamilyRole(key)).map((role) => ({ id: role.id, label: roleName(all, role) })),
        ]}
        value={from}
        onChange={begin}
      />
    </RoleForm>
  )
}
