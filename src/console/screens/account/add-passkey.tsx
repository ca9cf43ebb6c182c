import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import type { makePasskey } from '../../api/passkey.ts'
import { PasskeyGivenUp } from '../../api/passkey-known.ts'
import { useChange } from '../../api/queries.ts'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { thisSystem } from '../../records/member/device.ts'

/** A name, the password once more, and then the device asks. */
export const AddPasskey = ({ onCancel, onDone }: { onCancel: () => void; onDone: () => void }) => {
  const { factor: words } = useWords()
  const [isGivenUp, setGivenUp] = useState(false)
  const begin = useChange('factor', (password: string, header) =>
    answer(api.POST('/me/passkeys/options', { params: { header }, body: { password } })),
  )
  const add = useChange('factor', (body: Parameters<typeof send>[0], header) => send(body, header))
  const form = useForm({
    start: { name: thisSystem(), password: '' },
    rules: ({ name, password }) => ({
      name: name.trim() === '' && words.passkeyNameMissing,
      password: password === '' && words.passwordMissing,
    }),
    refused: { password: ({ reason }) => (reason === 'invalid_credentials' ? words.passwordWrong : undefined) },
    refusals: { invalid_credentials: 'password' },
    send: async ({ name, password }) => {
      setGivenUp(false)
      const wanted = await begin.mutateAsync(password)
      try {
        const passkey = await import('../../api/passkey.ts')
        await add.mutateAsync({ name: name.trim(), ...(await passkey.makePasskey(wanted)) })
      } catch (error) {
        if (!(error instanceof PasskeyGivenUp)) throw error
        setGivenUp(true)
        return
      }
      toast(words.passkeyAdded(name.trim()))
      onDone()
    },
  })
  return (
    <Form form={form} verb={words.next} onCancel={onCancel}>
      <p>{words.addPasskeyText}</p>
      {isGivenUp && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{words.cancelled}</span>
        </Notice>
      )}
      <Field label={words.passkeyName} maxLength={100} {...form.field('name')} />
      <PasswordField label={words.password} {...form.field('password')} />
    </Form>
  )
}

const send = (
  body: { name: string } & Awaited<ReturnType<typeof makePasskey>>,
  header: { 'Idempotency-Key': string },
) => answer(api.POST('/me/passkeys', { params: { header }, body }))
