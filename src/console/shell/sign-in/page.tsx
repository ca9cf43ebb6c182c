import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Problem } from '../../api/problem.ts'
import { signIn as send } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form, PasswordField } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Alone } from '../alone.tsx'
import { useFirstWords } from '../../words/language.tsx'

interface SignInFormProps {
  /** Who signs in, where that is known: nobody else may go on with their work. */
  email?: string
  onDone: () => void
}

export const SignInForm = ({ email: known, onDone }: SignInFormProps) => {
  const { signIn: words } = useFirstWords()
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const isWrong = problem?.code === 'INVALID_CREDENTIALS'

  const submit = async () => {
    setTried(true)
    setProblem(undefined)
    if (isBusy || email.trim() === '' || password === '') return
    setBusy(true)
    try {
      await send(email.trim(), password)
      onDone()
    } catch (error) {
      setProblem(error as Problem)
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={() => void submit()}>
      {problem && !isWrong && <ProblemNotice problem={problem} />}
      {known === undefined && (
        <Field
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          isLtr
          value={email}
          onChange={setEmail}
          error={isTried && email.trim() === '' ? words.emailMissing : undefined}
        />
      )}
      <PasswordField
        label={words.password}
        value={password}
        onChange={(typed) => {
          setPassword(typed)
          setProblem(undefined)
        }}
        autoFocus={known !== undefined}
        error={isTried && password === '' ? words.passwordMissing : isWrong ? words.wrong : undefined}
      />
      <Button type="submit" look="primary" isBig isWide isBusy={isBusy}>
        {isBusy ? words.busy : words.submit}
      </Button>
    </Form>
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
