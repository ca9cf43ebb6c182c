import { useState } from 'react'
import { askForPassword } from '../../api/session.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Alone } from '../alone.tsx'
import { useFirstWords } from '../../words/language.tsx'

/** Sends the mail with the link. It never says whether the address has an account. */
export const ForgotPassword = () => {
  const { signIn: words } = useFirstWords()
  const [isDone, setDone] = useState(false)
  const form = useForm({
    start: { email: '' },
    rules: ({ email }) => ({ email: email.trim() === '' && words.emailMissing }),
    send: async ({ email }) => {
      await askForPassword(email.trim())
      setDone(true)
    },
  })
  return (
    <Alone>
      <Page title={isDone ? words.forgotDone : words.forgotTitle}>
        <p className="lead soft" role="status">
          {isDone ? words.forgotDoneText(form.typed.email.trim()) : words.forgotText}
        </p>
        {isDone ? (
          <p className="soft">{words.forgotNothing}</p>
        ) : (
          <Form
            form={form}
            footer={
              <Button type="submit" look="primary" isBig isWide isBusy={form.isBusy}>
                {words.forgotSubmit}
              </Button>
            }
          >
            <Field
              label={words.email}
              type="email"
              name="email"
              autoComplete="username"
              isLtr
              {...form.field('email')}
            />
          </Form>
        )}
        <p className="below">
          <ButtonLink to="/sign-in" look="quiet">
            {words.toSignIn}
          </ButtonLink>
        </p>
      </Page>
    </Alone>
  )
}
