import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'
import { Back } from '../../parts/back.tsx'
import { MailForm } from './mail-form.tsx'
import { TrialResult, useTrial } from './mail-trial.tsx'
import { useMail } from './reads.ts'
import { StuckMails } from './stuck-mails.tsx'

/** By which mailbox mails go out: seen, tried and changed without a file or a restart. */
export const Screen = () => {
  const { mail: words, settings } = useWords()
  const mail = useMail()
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page title={words.title} about={words.about}>
        <Loaded query={mail}>{(data) => <Mail mail={data} />}</Loaded>
      </Page>
    </>
  )
}

const Mail = ({ mail }: { mail: Schemas['MailSettings'] }) => {
  const { mail: words } = useWords()
  const trial = useTrial()
  const { server, sender } = mail
  return (
    <div className="narrow">
      <StuckMails hasMailbox={server !== null} />
      <Section title={words.now}>
        {server === null ? (
          <Notice meaning="warn">
            <span className="grow">{words.none}</span>
          </Notice>
        ) : (
          <div className="card padded">
            <Facts look="inset">
              <dt>{words.from}</dt>
              <dd>
                <span className="fixed ltr">{sender}</span>
              </dd>
              <dt>{words.through}</dt>
              <dd>
                <span className="fixed ltr">{`${server.host}:${server.port}`}</span>
              </dd>
            </Facts>
            {trial.data && !trial.isPending && <TrialResult result={trial.data} />}
            {trial.error && <ProblemNotice problem={trial.error} />}
            <Button isBusy={trial.isPending} onPress={() => trial.mutate(undefined)}>
              {words.sendTest}
            </Button>
          </div>
        )}
      </Section>
      {mail.canChange ? <MailForm mail={mail} /> : <p className="section">{words.fixed}</p>}
    </div>
  )
}
