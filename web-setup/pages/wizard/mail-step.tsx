import { Button } from '../../../src/console/parts/button.tsx'
import type { Fields } from '../../../src/console/parts/form.tsx'
import { MailboxFields } from '../../../src/console/parts/mailbox-fields.tsx'
import { toldOfTrial, type Mailbox } from '../../../src/console/parts/mailbox.ts'
import { Notice } from '../../../src/console/parts/notice.tsx'
import { useFirstWords } from '../../../src/console/words/language.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { TEST, type MailState, type Trial } from './typed.ts'

export interface MailStepProps {
  mailbox: Fields<Mailbox>
  /** undefined: not known. */
  mailState: MailState | undefined
  trial: Trial | undefined
  isFirst: boolean
}

export const MailStep = ({ mailbox, mailState, trial, isFirst }: MailStepProps) => {
  const { mailbox: words } = useOwnWords('wizardSteps')
  const { mail } = useFirstWords()
  const { canChange = true, server = null, sender, providers = [] } = mailState ?? {}
  const { provider } = mailbox.typed
  const usual = providers.find(({ id }) => id === provider)
  if (!mail) return null
  const given = server === null ? words.fixedWithout : (canChange ? words.given : words.fixed)(server, sender ?? '')
  return (
    <Step id="step-mail" title={words.title} lead={words.lead} isFirst={isFirst}>
      {(!canChange || server !== null) && (
        <div id="mail-notice">
          <Notice meaning="info">
            <span className="grow">
              <Told>{given}</Told>
            </span>
          </Notice>
        </div>
      )}
      {canChange && (
        <MailboxFields form={mailbox} words={mail} providers={providers} none={words.providerLater} isKept={false} />
      )}
      {usual && (
        <p id="mail-place" className="small spaced">
          <Told>{words.place(`${usual.host}:${usual.port}`)}</Told>
        </p>
      )}
      {provider === null && canChange && server === null && (
        <div id="mail-later">
          <Notice meaning="warn">
            <span className="grow">{words.later}</span>
          </Notice>
        </div>
      )}
      {(provider !== null || server !== null) && (
        <Button type="submit" value={TEST} isBusy={mailbox.isBusy}>
          {mail.sendTest}
        </Button>
      )}
      {trial && (
        <div id="mail-trial">
          <Notice meaning={trial.fault === null ? 'good' : 'bad'} isAlert>
            <span className="grow">
              <Told>{toldOfTrial(mail, trial.to, trial)}</Told>
              {trial.answer !== '' && (
                <span className="report">
                  {mail.said} <bdi className="ltr">{trial.answer}</bdi>
                </span>
              )}
            </span>
          </Notice>
        </div>
      )}
    </Step>
  )
}
