import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Form, PasswordField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

const SHORTEST = 10

export const Password = () => {
  const { account } = useWords()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [isTried, setTried] = useState(false)
  const change = useChange('sessions', (body: { currentPassword: string; newPassword: string }, header) =>
    answer(api.POST('/auth/change-password', { params: { header }, body })),
  )
  const isWrong = change.error?.code === 'INVALID_CREDENTIALS'
  const isWeak = change.error?.issues.some(({ path }) => path[0] === 'newPassword') ?? false

  const submit = () => {
    setTried(true)
    change.reset()
    if (change.isPending || currentPassword === '' || newPassword.length < SHORTEST) return
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          setCurrent('')
          setNew('')
          setTried(false)
          toast(account.passwordDone)
        },
      },
    )
  }
  const faultOfNew = () => {
    if (isWeak) return account.passwordWeak
    return isTried && newPassword.length < SHORTEST ? account.passwordShort : undefined
  }
  const faultOfCurrent = () => {
    if (isWrong) return account.passwordWrong
    return isTried && currentPassword === '' ? account.passwordMissing : undefined
  }

  return (
    <Section title={account.password}>
      <div className="card padded">
        <Form onSubmit={submit} label={account.password}>
          {change.error && !isWrong && !isWeak && <ProblemNotice problem={change.error} />}
          <PasswordField
            label={account.passwordCurrent}
            value={currentPassword}
            onChange={setCurrent}
            error={faultOfCurrent()}
          />
          <PasswordField
            label={account.passwordNew}
            hint={account.passwordRule}
            isNew
            value={newPassword}
            onChange={setNew}
            error={faultOfNew()}
          />
          <p className="small spaced">{account.passwordAbout}</p>
          <div className="actions">
            <Button type="submit" isBusy={change.isPending}>
              {account.passwordChange}
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  )
}
