import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { MailboxFields } from '../../parts/mailbox-fields.tsx'
import { mailboxRules } from '../../parts/mailbox-rules.ts'
import { NO_MAILBOX, serverOf, type Mailbox } from '../../parts/mailbox.ts'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { TrialResult, useTrial } from './mail-trial.tsx'

type Settings = Schemas['MailSettings']

const typedOf = ({ server, sender, providers }: Settings): Mailbox =>
  server === null
    ? { ...NO_MAILBOX, sender: sender ?? '' }
    : {
        provider: providers.find(({ host }) => host === server.host)?.id ?? 'own',
        host: server.host,
        port: String(server.port),
        encryption: server.encryption,
        user: server.user ?? '',
        password: '',
        sender: sender ?? '',
      }

/** The button that keeps what could not be tried. */
const ANYWAY = 'anyway'

/** Names the mailbox that mails go out by. It is tried first, with a mail to whoever is signed in, and then kept. */
export const MailForm = ({ mail }: { mail: Settings }) => {
  const { mail: words } = useWords()
  const { providers } = mail
  const trial = useTrial()
  const keep = useChange('mail', (body: Schemas['NewMailServer']) => answer(api.PUT('/mail/settings', { body })))
  const form = useForm<Mailbox>({
    start: typedOf(mail),
    ...mailboxRules(words),
    rules: ({ provider }) => ({ provider: provider === null && words.choose }),
    send: async (typed, action) => {
      const server = serverOf(typed, providers)
      if (action !== ANYWAY && !(await trial.mutateAsync(server)).sent) return
      await keep.mutateAsync(server)
      toast(words.saved)
      form.set({ password: '' })
    },
  })
  const isOfTyped = JSON.stringify(trial.variables) === JSON.stringify(serverOf(form.typed, providers))
  const failed = isOfTyped && trial.data?.sent === false ? trial.data : undefined
  return (
    <Section title={mail.server === null ? words.set : words.change}>
      <div className="card padded">
        <Form
          form={form}
          label={words.set}
          verb={words.tryAndKeep}
          more={
            failed && (
              <Button type="submit" value={ANYWAY}>
                {words.keepAnyway}
              </Button>
            )
          }
        >
          <MailboxFields form={form} words={words} providers={providers} isKept={mail.server !== null} />
          {failed && <TrialResult result={failed} />}
        </Form>
      </div>
    </Section>
  )
}
