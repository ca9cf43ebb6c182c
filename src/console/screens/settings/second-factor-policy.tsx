import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Check } from '../../parts/choose.tsx'
import { Section } from '../../parts/page.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { roleName, type Role } from './reads.ts'

/** Of which roles a second step is asked at sign-in. Each choice holds at once, and can be taken back. */
export const SecondFactorPolicy = ({ roles }: { roles: readonly Role[] }) => {
  const all = useWords()
  const { factor: words } = all
  const { membership } = useMe()
  const change = useChange('role', ({ id, asks }: { id: string; asks: boolean }) =>
    answer(api.PATCH('/roles/{id}', { params: { path: { id } }, body: { asksSecondFactor: asks } })),
  )
  const keep = (role: Role, asks: boolean) => {
    const isOwn = asks && membership.roles.some(({ roleId }) => roleId === role.id)
    const onError = (error: unknown) => toast(explain(all, error))
    change.mutate(
      { id: role.id, asks },
      {
        onSuccess: () =>
          toast([words.policySaved(roleName(all, role)), ...(isOwn ? [words.policyOwn] : [])].join(' '), () =>
            change.mutate({ id: role.id, asks: !asks }, { onError }),
          ),
        onError,
      },
    )
  }
  return (
    <Section title={words.policy}>
      <div className="card padded">
        <p className="small spaced">{words.policyAbout}</p>
        <ul>
          {roles.map((role) => (
            <li key={role.id}>
              <Check isChecked={role.asksSecondFactor} onChange={(asks) => keep(role, asks)}>
                <bdi>{roleName(all, role)}</bdi>
              </Check>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
