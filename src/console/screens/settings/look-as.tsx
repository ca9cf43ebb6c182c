import { useLocation } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { beginLook } from '../../api/session.ts'
import { Choice } from '../../parts/choose.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { isFamilyRole, roleName, type Role } from './reads.ts'

/** Stands for the whole institute. */
const WHOLE = 'whole'

/** Begins to look at the console as somebody of a role sees it. @param props.roles those to choose from */
export const LookAs = ({ roles, onClose }: { roles: readonly Role[]; onClose: () => void }) => {
  const all = useWords()
  const { looking: words, members } = all
  const { branches } = useMe()
  const [, go] = useLocation()
  const begin = useChange('look', ({ id, branchId }: { id: string; branchId: string | null }, header) =>
    answer(api.POST('/roles/{id}/preview', { params: { path: { id }, header }, body: { branchId } })),
  )
  const [only] = roles.length === 1 ? roles : []
  const form = useForm<{ roleId: string | null; place: string }>({
    start: { roleId: only?.id ?? null, place: WHOLE },
    rules: ({ roleId }) => ({ roleId: roleId === null && members.chooseRole }),
    send: async ({ roleId, place }) => {
      const id = roleId ?? ''
      const isWhole = place === WHOLE || !isOfBranch
      const { accessToken } = await begin.mutateAsync({ id, branchId: isWhole ? null : place })
      queryClient.clear()
      beginLook(accessToken, id)
      go('/today')
    },
  })
  const role = roles.find(({ id }) => id === form.typed.roleId)
  const isOfBranch = branches.length > 1 && role !== undefined && !isFamilyRole(role.key)
  return (
    <Sheet title={only ? words.titleOf(roleName(all, only)) : words.begin} isOpen onClose={onClose}>
      <Form form={form} verb={words.verb} onCancel={onClose}>
        <p className="spaced">{words.about}</p>
        {!only && (
          <Choice
            label={members.role}
            options={roles.map((one) => ({ id: one.id, label: roleName(all, one) }))}
            placeholder={members.chooseRole}
            {...form.field('roleId')}
          />
        )}
        {isOfBranch && (
          <Choice
            label={members.where}
            options={[{ id: WHOLE, label: words.whole }, ...branches.map(({ id, name }) => ({ id, label: name }))]}
            {...form.field('place')}
          />
        )}
      </Form>
    </Sheet>
  )
}
