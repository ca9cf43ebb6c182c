import type { BOUNDS } from '../api/bounds.ts'
import { PasswordField } from './field.tsx'
import { Form, useForm } from './form.tsx'
import { useWords } from '../words/language.tsx'

interface PasswordFormProps {
  bounds: (typeof BOUNDS)['BackupDownload' | 'BackupRestore' | 'PasswordAgain']
  /** What its button does. */
  verb: string
  look?: 'danger'
  autoFocus?: boolean
  send: (typed: { password: string }) => Promise<void>
  onCancel: () => void
}

/** Asks the caller for their own password once more, before what it guards. */
export const PasswordForm = ({ bounds, verb, look, autoFocus, send, onCancel }: PasswordFormProps) => {
  const { account } = useWords()
  const form = useForm({
    start: { password: '' },
    bounds,
    missing: account.passwordMissing,
    refused: { password: account.passwordWrong },
    refusals: { invalid_credentials: 'password' },
    send,
  })
  return (
    <Form form={form} verb={verb} {...(look && { look })} onCancel={onCancel}>
      <PasswordField
        label={account.passwordCurrent}
        {...form.field('password')}
        {...(autoFocus && { autoFocus: true })}
      />
    </Form>
  )
}
