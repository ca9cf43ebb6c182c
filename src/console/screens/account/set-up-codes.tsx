import { useState, type ReactNode } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { keep } from '../../api/file.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Field, PasswordField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Qr } from '../../parts/qr.tsx'
import { useWords } from '../../words/language.tsx'

/** So that nobody does it with a session that was left open. */
export const PasswordAgain = ({
  text,
  verb,
  send,
  onCancel,
}: {
  text: string
  verb: string
  send: (password: string) => Promise<unknown>
  onCancel?: (() => void) | undefined
}) => {
  const { factor: words } = useWords()
  const form = useForm({
    start: { password: '' },
    rules: ({ password }) => ({ password: password === '' && words.passwordMissing }),
    refused: { password: ({ reason }) => (reason === 'invalid_credentials' ? words.passwordWrong : undefined) },
    refusals: { INVALID_CREDENTIALS: 'password' },
    send: ({ password }) => send(password),
  })
  return (
    <Form form={form} verb={verb} {...(onCancel && { onCancel })}>
      <p>{text}</p>
      <PasswordField label={words.password} {...form.field('password')} autoFocus />
    </Form>
  )
}

const inFours = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

const Scan = ({
  fresh,
  onCodes,
}: {
  fresh: Schemas['NewSecondFactor']
  onCodes: (recoveryCodes: readonly string[]) => void
}) => {
  const { factor: words } = useWords()
  // Whose own screen it cannot scan: the app on it is opened with what the picture holds.
  const isPhone = matchMedia('(pointer: coarse)').matches
  const confirm = useChange('factor', (code: string, header) =>
    answer(api.POST('/me/second-factor/confirm', { params: { header }, body: { code } })),
  )
  const form = useForm({
    start: { code: '' },
    rules: ({ code }) => ({ code: code.trim() === '' && words.codeMissing }),
    refusals: { wrong_code: 'code', too_many_wrong_codes: 'code' },
    send: async ({ code }) => onCodes((await confirm.mutateAsync(code.trim())).recoveryCodes),
  })
  return (
    <Form form={form} verb={words.turnOn}>
      <p>{words.scanText}</p>
      <Qr text={fresh.uri} label={words.qr} />
      {isPhone && (
        <p className="below spaced">
          <a className="button" href={fresh.uri}>
            {words.openApp}
          </a>
        </p>
      )}
      <Copied label={words.secret} hint={words.secretHint} text={inFours(fresh.appSecret)} />
      <Field
        label={words.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus={!isPhone}
        isLtr
        {...form.field('code')}
      />
    </Form>
  )
}

/** On paper it is all that there is; on the screen the codes stand above. */
const CodesPaper = ({ whose, codes }: { whose: string; codes: readonly string[] }) => {
  const { factor: words } = useWords()
  return (
    <div className="codes-paper">
      <h2>{whose}</h2>
      <p className="ltr">{location.origin}</p>
      <p>{words.codesUse}</p>
      <ul>
        {codes.map((code) => (
          <li key={code} className="ltr">
            {code}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** They are shown this once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => {
  const { factor: words } = useWords()
  const me = useGet(['/me'], (signal) => answer(api.GET('/me', { signal })))
  // Whoever finds the paper in a drawer knows by it whose codes they are, and what to do with them.
  const whoseOf = (own: { email: string } | undefined) => (own ? words.codesOf(own.email) : words.codes)
  const save = async () => {
    const whose = whoseOf(me.data ?? (await me.refetch()).data)
    const text = [location.origin, whose, words.codesUse, '', ...codes, ''].join('\n')
    keep({ name: 'recovery-codes.txt', content: new Blob([text], { type: 'text/plain' }) })
  }
  return (
    <>
      <p>{words.codesText}</p>
      <Copied label={words.codes} text={codes.join('\n')} />
      <CodesPaper whose={whoseOf(me.data)} codes={codes} />
      <div className="actions">
        <Button autoFocus onPress={() => void save()}>
          {words.save}
        </Button>
        <Button icon="print" isDisabled={me.isPending} onPress={() => window.print()}>
          {words.print}
        </Button>
        <Button look="primary" onPress={onDone}>
          {words.kept}
        </Button>
      </div>
    </>
  )
}

interface SetUpCodesProps {
  /** Each step has its own title. */
  frame: (title: string, step: ReactNode, isLast: boolean) => ReactNode
  onCancel?: () => void
  onDone: () => void
}

/** Password, picture and first code, recovery codes: one thing at a time. */
export const SetUpCodes = ({ frame, onCancel, onDone }: SetUpCodesProps) => {
  const { factor: words } = useWords()
  const [fresh, setFresh] = useState<Schemas['NewSecondFactor']>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = useChange('factor', (password: string, header) =>
    answer(api.POST('/me/second-factor', { params: { header }, body: { password } })),
  )
  if (codes) return frame(words.steps.codes, <RecoveryCodes codes={codes} onDone={onDone} />, true)
  if (fresh) return frame(words.steps.scan, <Scan fresh={fresh} onCodes={setCodes} />, false)
  return frame(
    words.steps.password,
    <PasswordAgain
      text={words.passwordText}
      verb={words.next}
      send={async (password) => setFresh(await begin.mutateAsync(password))}
      onCancel={onCancel}
    />,
    false,
  )
}
