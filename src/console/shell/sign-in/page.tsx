import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { knowsPasskeys } from '../../api/passkey-known.ts'
import { Problem } from '../../api/problem.ts'
import { signIn } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Alone } from '../alone.tsx'
import { useFirstWords } from '../../words/language.tsx'
import { later } from '../later.tsx'
import { knownEmail } from './known-email.ts'

/** Few are asked for it. */
const CodeStep = later(() => import('./code-step.tsx'))
/** In place of password and code. */
const PasskeyStep = later(() => import('./passkey-step.tsx'), { isAside: true })

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
