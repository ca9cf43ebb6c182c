import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

export const Password = () => {
  const { account } = useWords()
  const change = useChange('sessions', (body: Schemas['PasswordChange'], header) =>
    answer(api.POST('/auth/change-password', { params: { header }, body })),
  )
  const form = useForm({
    start: { currentPassword: '', newPassword: '' },
    bounds: BOUNDS.PasswordChange,
    missing: { currentPassword: account.passwordMissing, newPassword: account.passwordShort },
    wrong: { newPassword: account.passwordShort },
    refused: { currentPassword: account.passwordWrong, newPassword: account.passwordWeak },
    refusals: { INVALID_CREDENTIALS: 'currentPassword' },
    send: async (typed) => {
      await change.mutateAsync(typed)
      form.reset()
      toast(account.passwordDone)
    },
  })
  return (
    <Section title={account.password}>
      <div className="card padded">
        <Form form={form} label={account.password} verb={account.passwordChange} look="plain">
          <PasswordField label={account.passwordCurrent} {...form.field('currentPassword')} />
          <PasswordField label={account.passwordNew} hint={account.passwordRule} isNew {...form.field('newPassword')} />
          <p className="small spaced">{account.passwordAbout}</p>
        </Form>
      </div>
    </Section>
  )
}
