import { Choice } from '../../../src/console/parts/choose.tsx'
import { Field } from '../../../src/console/parts/field.tsx'
import type { Fields } from '../../../src/console/parts/form.tsx'
import { Notice } from '../../../src/console/parts/notice.tsx'
import { useFormat } from '../../../src/console/words/language.tsx'
import { useInstant } from '../../../src/console/shell/now.ts'
import { Format } from '../../../src/console/words/format.ts'
import { OWN_NAMES } from '../../../src/console/words/locale.ts'
import { LOCALES } from '../../../src/shared/locale.ts'
import { announce } from '../../parts/announce.ts'
import { NewPasswordField } from '../../parts/new-password.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { ZoneField } from '../../parts/zone-field.tsx'
import { cautionAbout, rootAddress } from '../../rules/address.ts'
import { slugFor } from '../../rules/slug.ts'
import { currencyFor } from '../../rules/currency.ts'
import type { Strength } from '../../rules/password.ts'
import { MailStep, type MailStepProps } from './mail-step.tsx'
import { Review, type ReviewProps } from './review.tsx'
import type { Currency, StepName, Typed } from './typed.ts'

export { mailboxRules } from '../../../src/console/parts/mailbox-rules.ts'
export { create } from './create.ts'

export interface StepsProps extends Omit<MailStepProps, 'isFirst'>, Omit<ReviewProps, 'isFirst'> {
  step: StepName
  isFirst: boolean
  form: Fields<Typed>
  strength: Strength
  /** Where others of its network find this server. */
  addresses: readonly string[]
}

/** The steps after the first. */
export const Screen = (props: StepsProps) => {
  if (props.step === 'institute') return <Institute {...props} />
  if (props.step === 'owner') return <Owner {...props} />
  if (props.step === 'address') return <Address {...props} />
  return props.step === 'mail' ? <MailStep {...props} /> : <Review {...props} />
}

type OfForm = Pick<StepsProps, 'form' | 'isFirst'>

const CURRENCIES = [
  { id: 'ILS', word: 'currencyIls' },
  { id: 'USD', word: 'currencyUsd' },
  { id: 'EUR', word: 'currencyEur' },
] as const

const Institute = ({ form, isFirst }: OfForm) => {
  const { institute: words } = useOwnWords('wizardSteps')
  const { locale } = useFormat()
  const { typed } = form
  const { value: timezone, ...ofZone } = form.field('timezone')
  const { value: currency, ...ofCurrency } = form.field('currency')
  const { value: language, ...ofLanguage } = form.field('defaultLocale')
  const instant = useInstant()
  const now = (zone: string): string => words.timezoneNow(new Format(locale, zone).time(instant))
  return (
    <Step id="step-institute" title={words.title} lead={words.lead} isFirst={isFirst}>
      <Field
        id="institute-name"
        label={words.name}
        hint={words.nameHint}
        autoComplete="organization"
        {...form.field('name')}
        onChange={(name) => {
          // It follows the name until somebody writes another one.
          const isSuggested = typed.slug === '' || typed.slug === slugFor(typed.name)
          form.set({ name, ...(isSuggested && { slug: slugFor(name) }) })
        }}
      />
      <Field id="institute-slug" label={words.slug} hint={words.slugHint} isLtr {...form.field('slug')} />
      <Choice
        name="institute-locale"
        label={words.locale}
        hint={words.localeHint}
        options={LOCALES.map((id) => ({ id, label: OWN_NAMES[id] }))}
        value={language ?? locale}
        {...ofLanguage}
      />
      <ZoneField
        id="institute-timezone"
        label={words.timezone}
        hint={timezone === '' ? words.timezoneHint : `${words.timezoneHint} ${now(timezone)}`}
        none={words.timezoneNone}
        value={timezone}
        onChosen={(zone) => announce(now(zone))}
        {...ofZone}
      />
      <Choice<Currency>
        name="institute-currency"
        label={words.currency}
        hint={words.currencyHint}
        options={CURRENCIES.map(({ id, word }) => ({ id, label: words[word] }))}
        value={currency ?? currencyFor(timezone)}
        {...ofCurrency}
      />
    </Step>
  )
}

const Owner = ({ form, strength, isFirst }: OfForm & Pick<StepsProps, 'strength'>) => {
  const { owner: words } = useOwnWords('wizardSteps')
  return (
    <Step id="step-owner" title={words.title} lead={words.lead} isFirst={isFirst}>
      <div className="pair">
        <Field id="owner-first-name" label={words.firstName} autoComplete="given-name" {...form.field('firstName')} />
        <Field id="owner-last-name" label={words.lastName} autoComplete="family-name" {...form.field('lastName')} />
      </div>
      <Field
        id="owner-email"
        label={words.email}
        hint={words.emailHint}
        type="email"
        autoComplete="username"
        isLtr
        {...form.field('email')}
      />
      <NewPasswordField id="owner-password" label={words.password} strength={strength} {...form.field('password')} />
    </Step>
  )
}

const cautionIn = (typed: string) => {
  const root = rootAddress(typed)
  return root === null ? null : cautionAbout(root)
}

const Address = ({ form, addresses, isFirst }: OfForm & Pick<StepsProps, 'addresses'>) => {
  const { address: words } = useOwnWords('wizardSteps')
  const { baseUrl } = form.typed
  const caution = cautionIn(baseUrl)
  const change = (next: string) => {
    form.set({ baseUrl: next })
    const nextCaution = cautionIn(next)
    if (nextCaution !== null && nextCaution !== caution) announce(words[nextCaution])
  }
  return (
    <Step id="step-address" title={words.title} lead={words.lead} isFirst={isFirst}>
      <Field
        id="base-url"
        label={words.url}
        hint={addresses.includes(baseUrl) && baseUrl !== location.origin ? words.urlHintNetwork : words.urlHint}
        type="url"
        isLtr
        {...form.field('baseUrl')}
        {...(caution !== null && { describedBy: 'base-url-caution' })}
        onChange={change}
      />
      {caution !== null && (
        <div id="base-url-caution">
          <Notice meaning="warn">
            <span className="grow">
              <Told>{words[caution]}</Told>
            </span>
          </Notice>
        </div>
      )}
      {addresses.length > 0 && (
        <div className="offers" role="group" aria-labelledby="base-url-offers">
          <p id="base-url-offers">{words.offers}</p>
          <div className="actions">
            {addresses.map((address) => (
              <button
                key={address}
                type="button"
                className="button"
                aria-pressed={rootAddress(baseUrl) === address}
                onClick={() => {
                  change(address)
                  announce(address)
                }}
              >
                <bdi dir="ltr">{address}</bdi>
              </button>
            ))}
          </div>
        </div>
      )}
      <section className="card padded help" aria-labelledby="address-help">
        <h2 id="address-help">{words.help}</h2>
        <ul>
          {[words.helpLan, words.helpInternet, words.helpTest].map((text) => (
            <li key={text}>
              <Told>{text}</Told>
            </li>
          ))}
        </ul>
      </section>
    </Step>
  )
}
