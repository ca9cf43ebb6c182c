import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { signIn } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Alone } from '../alone.tsx'
import { useFirstWords } from '../../words/language.tsx'
import { knownEmail } from './known-email.ts'

interface SignInFormProps {
  /** Who signs in, where that is known: nobody else may go on with their work. */
  email?: string
  onDone: () => void
  /** How it is drawn, where a page draws its forms otherwise. */
  as?: typeof Form
}

export const SignInForm = ({ email: known, onDone, as: Drawn = Form }: SignInFormProps) => {
  const { signIn: words } = useFirstWords()
  const [found] = useState(knownEmail)
  const form = useForm({
    start: { email: known ?? found, password: '' },
    refused: { password: words.wrong },
    refusals: { INVALID_CREDENTIALS: 'password' },
    rules: ({ email, password }) => ({
      email: email.trim() === '' && words.emailMissing,
      password: password === '' && words.passwordMissing,
    }),
    send: async ({ email, password }) => {
      await signIn(email.trim(), password)
      onDone()
    },
  })
  return (
    <Drawn
      form={form}
      footer={
        <Button type="submit" look="primary" isBig isWide isBusy={form.isBusy}>
          {form.isBusy ? words.busy : words.submit}
        </Button>
      }
    >
      {known === undefined && (
        <Field
          id="email"
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          isLtr
          {...form.field('email')}
        />
      )}
      <PasswordField
        id="password"
        label={words.password}
        {...form.field('password')}
        autoFocus={known !== undefined || found !== ''}
      />
    </Drawn>
  )
}

/** Stands at whatever address was opened, and leads to it. */
export const SignIn = () => {
  const { signIn: words } = useFirstWords()
  const [address, go] = useLocation()
  return (
    <Alone>
      <Page title={words.title}>
        <SignInForm
          onDone={() => {
            if (address === '/sign-in') go('/')
          }}
        />
        <p className="below">
          <Link href="/forgot-password" className="button quiet">
            {words.forgot}
          </Link>
        </p>
      </Page>
    </Alone>
  )
}
