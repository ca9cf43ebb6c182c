import type { ReactNode } from 'react'
import { Button } from '../../../src/console/parts/button.tsx'
import { Facts } from '../../../src/console/parts/facts.tsx'
import type { Fields } from '../../../src/console/parts/form.tsx'
import { serverOf, type Mailbox } from '../../../src/console/parts/mailbox.ts'
import { useFormat } from '../../../src/console/words/language.tsx'
import { OWN_NAMES } from '../../../src/console/words/locale.ts'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { rootAddress } from '../../rules/address.ts'
import { currencyFor } from '../../rules/currency.ts'
import { cityOf } from '../../../src/console/words/zones.ts'
import type { MailState, StepName, Typed } from './typed.ts'

export interface ReviewProps {
  form: Fields<Typed>
  mailbox: Fields<Mailbox>
  mailState: MailState | undefined
  isFirst: boolean
  goTo: (step: StepName) => void
}

/** Everything once more, before anything is made of it. */
export const Review = ({ form: { typed }, mailbox, mailState, isFirst, goTo }: ReviewProps) => {
  const { review: words, institute, owner, address } = useOwnWords('wizardSteps')
  const { locale } = useFormat()
  const mail = mailbox.typed.provider === null ? undefined : serverOf(mailbox.typed, mailState?.providers ?? [])
  const without = mailState && (mailState.server !== null || !mailState.canChange) ? words.mailGiven : words.mailNone
  const currency = typed.currency ?? currencyFor(typed.timezone)
  return (
    <Step id="step-review" title={words.title} lead={words.lead} isFirst={isFirst}>
      <Part title={institute.title} change={words.changeInstitute} onChange={() => goTo('institute')}>
        <Facts look="inset">
          <dt>{institute.name}</dt>
          <dd>
            <bdi className="fixed">{typed.name}</bdi>
          </dd>
          <dt>{institute.slug}</dt>
          <dd>
            <bdi className="fixed ltr">{typed.slug}</bdi>
          </dd>
          <dt>{institute.locale}</dt>
          <dd>
            <bdi className="fixed">{OWN_NAMES[typed.defaultLocale ?? locale]}</bdi>
          </dd>
          <dt>{institute.timezone}</dt>
          <dd>
            <bdi className="fixed">{cityOf(typed.timezone, locale)}</bdi>
          </dd>
          <dt>{institute.currency}</dt>
          <dd>
            <span className="fixed">
              {{ ILS: institute.currencyIls, USD: institute.currencyUsd, EUR: institute.currencyEur }[currency]}
            </span>
          </dd>
        </Facts>
      </Part>
      <Part title={owner.title} change={words.changeOwner} onChange={() => goTo('owner')}>
        <Facts look="inset">
          <dt>{words.ownerName}</dt>
          <dd>
            <bdi className="fixed">{`${typed.firstName} ${typed.lastName}`}</bdi>
          </dd>
          <dt>{owner.email}</dt>
          <dd>
            <bdi className="fixed ltr">{typed.email}</bdi>
          </dd>
          <dt>{owner.password}</dt>
          <dd>
            <span className="fixed">{words.passwordChosen}</span>
          </dd>
        </Facts>
      </Part>
      <Part title={address.url} change={words.changeAddress} onChange={() => goTo('address')}>
        <p>
          <bdi dir="ltr">{rootAddress(typed.baseUrl) ?? typed.baseUrl}</bdi>
        </p>
      </Part>
      <Part title={words.mail} change={words.changeMail} onChange={() => goTo('mail')}>
        <p id="review-mail">
          <Told>{mail ? words.mailServer(mail.host, mail.sender) : without}</Told>
        </p>
      </Part>
    </Step>
  )
}

interface PartProps {
  title: string
  /** What its button does. */
  change: string
  onChange: () => void
  children: ReactNode
}

const Part = ({ title, change, onChange, children }: PartProps) => {
  const { review: words } = useOwnWords('wizardSteps')
  return (
    <section className="card padded reviewed">
      <div className="section-head">
        <h2>{title}</h2>
        <Button look="quiet" aria-label={change} onPress={onChange}>
          {words.change}
        </Button>
      </div>
      {children}
    </section>
  )
}
