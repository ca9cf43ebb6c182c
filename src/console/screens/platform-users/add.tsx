import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

/** Gives somebody the platform. */
export const AddAdmin = ({ onClose }: { onClose: () => void }) => {
  const { users: words } = useWords().platformWork
  const add = useChange('user', (body: Schemas['NewPlatformUser'], header) =>
    answer(api.POST('/platform/users', { params: { header }, body })),
  )
  const form = useForm({
    start: { fullName: '', email: '' },
    bounds: BOUNDS.NewPlatformUser,
    missing: words.missing,
    refusals: { already_platform_admin: 'email', disabled_account: 'email' },
    send: async (typed) => {
      const { fullName, email } = await add.mutateAsync(typed)
      toast(words.added(fullName || email))
      onClose()
    },
  })
  return (
    <Sheet title={words.add} isOpen onClose={onClose}>
      <Form form={form} verb={words.add} onCancel={onClose}>
        <p className="soft">{words.addHint}</p>
        <Field label={words.name} {...form.field('fullName')} autoFocus />
        <Field label={words.email} type="email" isLtr {...form.field('email')} />
      </Form>
    </Sheet>
  )
}
