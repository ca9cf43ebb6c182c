import { BOUNDS } from '../../src/console/api/bounds.ts'
import { answer, openApi } from '../../src/console/api/client.ts'
import { signIn, wasIn } from '../../src/console/api/session.ts'
import { Button } from '../../src/console/parts/button.tsx'
import { Field } from '../../src/console/parts/field.tsx'
import { useForm } from '../../src/console/parts/form.tsx'
import { Notice } from '../../src/console/parts/notice.tsx'
import { useFirstLanguage } from '../../src/console/words/language.tsx'
import { NewPasswordField, usePasswordFaults, useWeakness } from '../parts/new-password.tsx'
import { useOwnWords } from '../parts/own-words.ts'
import { ToldForm } from '../parts/told-form.tsx'
import { strengthOf } from '../rules/password.ts'
import { start } from '../start.tsx'
import { loadLinkWords } from '../words/index.ts'
import { LinkPage, type LinkFacts } from './link.tsx'

const Invitation = () => {
  const { invitation: words } = useOwnWords('links')
  const leadOf = (facts: LinkFacts | undefined): string =>
    facts && facts.inviter !== null ? words.leadFrom(facts.inviter, facts.institute ?? '') : words.lead
  return (
    <LinkPage name="invitation" words={words} lead={leadOf}>
      {({ facts, using }) => <Acceptance facts={facts} using={using} />}
    </LinkPage>
  )
}

/**
 * Whoever has chosen a password a moment ago need not type it once more. Where somebody works in this browser already, the
 * session stays theirs; and what is asked for beyond the password, the page where one signs in asks for.
 */
const enter = async (facts: LinkFacts | undefined, password: string): Promise<void> => {
  if (!facts || password === '' || wasIn()) return
  await signIn(facts.email, password).catch(() => {})
}

interface AcceptanceProps {
  /** undefined: only the server knows whether the person has an account already. */
  facts: LinkFacts | undefined
  using: (send: (token: string) => Promise<unknown>) => Promise<void>
}

const Acceptance = ({ facts, using }: AcceptanceProps) => {
  const { invitation: words } = useOwnWords('links')
  const password = useOwnWords('password')
  const { locale } = useFirstLanguage()
  const { faultOf, refused } = usePasswordFaults()
  const weaknessOf = useWeakness()
  const { needs } = facts ?? {}
  const strengthIn = (typed: { fullName: string; password: string }) =>
    strengthOf(typed.password, [typed.fullName], weaknessOf)
  const form = useForm({
    // Whom the institute knows by name need not type it.
    start: { fullName: facts?.fullName ?? '', password: '' },
    bounds: { fullName: { ...BOUNDS.InvitationAcceptance.fullName, isRequired: needs?.fullName === true } },
    missing: words.fullNameMissing,
    refused: {
      // What is empty was left out, and is needed.
      fullName: (_, typed) => (typed.fullName.trim() === '' ? words.fullNameMissing : words.fullNameWrong),
      password: (refusal) => refused(refusal) ?? words.passwordMissing,
    },
    rules: (typed) => ({
      // What is sure to be asked for is asked for here, before anything is sent.
      password: typed.password === '' ? needs?.password && password.missing : faultOf(strengthIn(typed)),
    }),
    send: (typed) =>
      using(async (token) => {
        await answer(
          openApi.POST('/invitations/accept', {
            body: {
              token,
              locale,
              ...(typed.fullName.trim() !== '' && { fullName: typed.fullName.trim() }),
              ...(typed.password !== '' && { password: typed.password }),
            },
          }),
        )
        await enter(facts, typed.password)
      }),
  })
  const isKnown = needs !== undefined && !needs.fullName && !needs.password
  return (
    <ToldForm
      form={form}
      footer={
        <Button type="submit" look="primary" isBig isWide isBusy={form.isBusy}>
          {form.isBusy ? words.sending : words.submit}
        </Button>
      }
    >
      {(facts === undefined || isKnown) && (
        <Notice meaning="info">
          <span className="grow">{isKnown ? words.known : words.existing}</span>
        </Notice>
      )}
      {!isKnown && <Field id="full-name" label={words.fullName} autoComplete="name" {...form.field('fullName')} />}
      {needs?.password !== false && (
        <NewPasswordField
          id="password"
          label={words.password}
          strength={strengthIn(form.typed)}
          {...form.field('password')}
        />
      )}
    </ToldForm>
  )
}

start(loadLinkWords, <Invitation />)
