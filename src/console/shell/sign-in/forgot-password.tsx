import { useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { askForPassword } from '../../api/session.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Alone } from '../alone.tsx'
import { useFirstWords } from '../../words/language.tsx'

/** Sends the mail with the link. It never says whether the address has an account. */
export const ForgotPassword = () => {
  const { signIn: words } = useFirstWords()
  const [email, setEmail] = useState('')
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [problem, setProblem] = useState<Problem>()

  const submit = async () => {
    setTried(true)
    setProblem(undefined)
    if (isBusy || email.trim() === '') return
    setBusy(true)
    try {
      await askForPassword(email.trim())
      setDone(true)
    } catch (error) {
      setProblem(error as Problem)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Alone>
      <Page title={isDone ? words.forgotDone : words.forgotTitle}>
        <p className="lead soft" role="status">
          {isDone ? words.forgotDoneText(email.trim()) : words.forgotText}
        </p>
        {!isDone && (
          <Form onSubmit={() => void submit()}>
            {problem && <ProblemNotice problem={problem} />}
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
            <Button type="submit" look="primary" isBig isWide isBusy={isBusy}>
              {words.forgotSubmit}
            </Button>
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
