import { Problem } from '../../api/problem.ts'
import { signInByCode } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { useFirstLanguage, useFirstWords } from '../../words/language.tsx'

interface CodeStepProps {
  ticket: string
  onDone: () => void
  /** Back to the password: why, or nothing. */
  onBack: (why?: string) => void
  as?: typeof Form
}

/** The second step: a code of the app, or one that stands in for it. */
export const Screen = ({ ticket, onDone, onBack, as: Drawn = Form }: CodeStepProps) => {
  const { signIn: words } = useFirstWords()
  const { locale } = useFirstLanguage()
  const wrongAt = (details: Problem['details']): string => {
    const time = new Date(String(details['serverTime']))
    return words.codeWrong(new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(time))
  }
  const form = useForm({
    start: { code: '', told: '' },
    refused: { code: (_, { told }) => told },
    refusals: {
      wrong_code: 'code',
      code_used: 'code',
      recovery_code_used: 'code',
      too_many_wrong_codes: 'code',
    },
    rules: ({ code }) => ({ code: code.trim() === '' && words.codeMissing }),
    send: async ({ code }) => {
      try {
        await signInByCode(ticket, code.trim())
        onDone()
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const { reason, details } = error
        if (reason === 'sign_in_ticket_expired') return onBack(words.codeLate)
        const told: Partial<Record<string, string>> = {
          wrong_code: reason === 'wrong_code' ? wrongAt(details) : '',
          code_used: words.codeUsed,
          recovery_code_used: words.recoveryUsed,
          too_many_wrong_codes: words.codeLocked,
        }
        form.set({ told: told[reason ?? ''] ?? '' })
        throw error
      }
    },
  })
  return (
    <>
      <p className="lead soft">{words.codeText}</p>
      <Drawn
        form={form}
        footer={
          <Button type="submit" look="primary" isBig isWide isBusy={form.isBusy}>
            {words.codeSubmit}
          </Button>
        }
      >
        <Field
          id="code"
          label={words.code}
          name="one-time-code"
          autoComplete="one-time-code"
          autoFocus
          isLtr
          {...form.field('code')}
        />
      </Drawn>
      <p className="small soft below">{words.codeLost}</p>
      <p className="below">
        <Button look="quiet" onPress={() => onBack()}>
          {words.codeBack}
        </Button>
      </p>
    </>
  )
}
