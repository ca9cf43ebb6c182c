import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { knowsPasskeys, PasskeyGivenUp } from '../../api/passkey.ts'
import { Problem } from '../../api/problem.ts'
import { signIn, signInByPasskey } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Alone } from '../alone.tsx'
import { useFirstWords } from '../../words/language.tsx'
import { CodeStep } from './code-step.tsx'
import { knownEmail } from './known-email.ts'

interface SignInFormProps {
  /** Who signs in, where that is known: nobody else may go on with their work. */
  email?: string
  onDone: () => void
  /** Below it, while the password is asked for. */
  below?: ReactNode
  /** How it is drawn, where a page draws its forms otherwise. */
  as?: typeof Form
}

/** Who signs in, in one step or in two. */
export const SignInForm = (props: SignInFormProps) => {
  const [ticket, setTicket] = useState<string>()
  const [why, setWhy] = useState<string>()
  if (ticket !== undefined) {
    const back = (reason?: string) => {
      setTicket(undefined)
      setWhy(reason)
    }
    return <CodeStep ticket={ticket} onDone={props.onDone} onBack={back} {...(props.as && { as: props.as })} />
  }
  return (
    <>
      {why !== undefined && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{why}</span>
        </Notice>
      )}
      <PasswordStep {...props} onTicket={setTicket} />
      {knowsPasskeys() && <PasskeyStep onDone={props.onDone} />}
      {props.below}
    </>
  )
}

/** In place of password and code. It is offered where the browser knows how; whether there is one, the device says. */
const PasskeyStep = ({ onDone }: { onDone: () => void }) => {
  const { signIn: words } = useFirstWords()
  const [isBusy, setBusy] = useState(false)
  const [told, setTold] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const enter = async () => {
    setBusy(true)
    setTold(undefined)
    setProblem(undefined)
    try {
      await signInByPasskey()
      onDone()
    } catch (error) {
      const { reason } = error instanceof Problem ? error : {}
      if (reason === 'passkey_invalid') setTold(words.passkeyUnknown)
      else if (reason === 'passkeys_impossible') setTold(words.passkeyImpossible)
      else if (!(error instanceof PasskeyGivenUp)) setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="below">
      {told !== undefined && (
        <Notice meaning="warn" isAlert>
          <span className="grow">{told}</span>
        </Notice>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Button isWide isBig isBusy={isBusy} onPress={() => void enter()}>
        {isBusy ? words.passkeyBusy : words.passkey}
      </Button>
    </div>
  )
}

const PasswordStep = ({
  email: known,
  onDone,
  onTicket,
  as: Drawn = Form,
}: SignInFormProps & { onTicket: (ticket: string) => void }) => {
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
      try {
        await signIn(email.trim(), password)
        onDone()
      } catch (error) {
        const { reason, details } = error instanceof Problem ? error : {}
        if (reason !== 'second_factor_needed') throw error
        onTicket(String(details?.['ticket']))
      }
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
          below={
            <p className="below">
              <Link href="/forgot-password" className="button quiet">
                {words.forgot}
              </Link>
            </p>
          }
        />
      </Page>
    </Alone>
  )
}
