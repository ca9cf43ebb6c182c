import { MergeGuardian } from './merge.tsx'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Initials, Phone } from '../../parts/person.tsx'
import { PhoneNumber, usePhoneText } from '../../parts/phone.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { LOCALES } from '../../../shared/locale.ts'
import { OWN_NAMES } from '../../words/locale.ts'
import { Discounts } from '../../records/discount/section.tsx'
import { useChargedSource } from '../../records/enrollment/charged.ts'
import { Files } from '../../records/file/section.tsx'
import { ErasedPerson } from '../../records/person/erased.tsx'
import { Identity } from '../../records/person/identity.tsx'
import { PersonMore } from '../../records/person/more.tsx'
import { remember } from '../../records/search/recent.ts'
import { GuardianAccount, useAccounts } from '../../records/guardian/account.tsx'
import { readGuardian, useFamily, useGuardian } from '../../records/guardian/reads.ts'
import { Children } from './children.tsx'
import { Messages } from './messages.tsx'
import { OpenInvoices } from './open-invoices.tsx'
import { Others } from './others.tsx'

type Guardian = Schemas['Guardian']

/** The family of one guardian: phones that call, the children, what is owed and held, what was written to them. Four requests. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { people } = useWords()
  const guardian = useGuardian(id)
  if (guardian.data && guardian.data.erasedAt !== null) {
    const { firstName, lastName, erasedAt } = guardian.data
    return <ErasedPerson of={`/guardians/${id}`} name={`${firstName} ${lastName}`} erasedAt={erasedAt} />
  }
  if (guardian.data) return <One guardian={guardian.data} />
  return (
    <Page title={people.guardian}>
      <Loaded query={guardian}>{() => null}</Loaded>
    </Page>
  )
}

const One = ({ guardian }: { guardian: Guardian }) => {
  const { people, messages, payment } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { id, phone } = guardian
  const name = `${guardian.firstName} ${guardian.lastName}`
  useEffect(() => remember({ type: 'guardian', id, label: name, sublabel: phone }), [id, name, phone])
  const summary = useFamily(id)
  const scopes = useChargedSource()
  const account = useAccounts({ guardianId: id }).data?.[0]
  const money = summary.data?.financial
  return (
    <Page
      name={name}
      title={
        <span className="titled">
          <Initials name={name} isLarge />
          <bdi>{name}</bdi>
        </span>
      }
      about={
        <span className="chips">
          {people.guardian}
          <Phone number={phone} />
          {account && <GuardianAccount account={account} />}
          {money && money.balance.amountMinor > 0 && (
            <Badge meaning="warn">{people.owes(format.money(money.balance))}</Badge>
          )}
          {can('invoices.read') && <Held guardianId={id} />}
        </span>
      }
      actions={
        <>
          <PersonMore
            of={`/guardians/${id}`}
            path={`/guardians/${id}/data`}
            name={name}
            merge={can('guardians.write') ? (props) => <MergeGuardian kept={{ id, name }} {...props} /> : undefined}
          />
          {can('notifications.send') && <ButtonLink to={`/messages/new?guardianId=${id}`}>{messages.write}</ButtonLink>}
          {can('payments.record') && (
            <ButtonLink look="primary" to={`/pay/guardians/${id}`}>
              {payment.title}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="two">
        <div>
          <Children guardian={{ id, name }} summary={summary} />
          {summary.data && money && <OpenInvoices of={summary.data.children} guardianId={id} name={name} />}
          {can('invoices.read') && <Discounts holder={{ guardianId: id }} name={name} scopes={scopes} />}
          {can('notifications.send') && <Messages recipientId={guardian.userId ?? id} />}
        </div>
        <div>
          {summary.data && <Others summary={summary.data} />}
          <Details guardian={guardian} />
          {can('files.read') && <Files of="guardian" id={id} />}
        </div>
      </div>
    </Page>
  )
}

/** What is held of them in cheques. */
const Held = ({ guardianId }: { guardianId: string }) => {
  const { cheques: words } = useWords()
  const format = useFormat()
  const { data } = useGet(['/guardians', guardianId, 'account', 'held'], (signal) =>
    answer(api.GET('/guardians/{id}/account', { params: { path: { id: guardianId }, query: { limit: 1 } }, signal })),
  )
  if (!data || data.held.amountMinor === 0) return null
  return (
    <Link href={`/cheques?guardian=${guardianId}&status=held`}>
      <Badge meaning="info">{words.held(format.money(data.held))}</Badge>
    </Link>
  )
}

const Details = ({ guardian }: { guardian: Guardian }) => {
  const { people } = useWords()
  const phoneText = usePhoneText()
  const { can } = useMe()
  const { id } = guardian
  const field = fieldsOf<Guardian & { version?: never }, Schemas['GuardianChanges']>({
    key: ['/guardians', id],
    change: 'guardian',
    read: () => readGuardian(id),
    send: (changes) => answer(api.PATCH('/guardians/{id}', { params: { path: { id } }, body: changes })),
  })
  const may = <T,>(save: T): T | undefined => (can('guardians.write') ? save : undefined)
  return (
    <Section title={people.details}>
      <Facts>
        <Editable
          label={people.firstName}
          value={guardian.firstName}
          bound={BOUNDS.GuardianChanges.firstName}
          onSave={may(
            field(
              ({ firstName }) => firstName,
              (firstName) => ({ firstName }),
            ),
          )}
        />
        <Editable
          label={people.lastName}
          value={guardian.lastName}
          bound={BOUNDS.GuardianChanges.lastName}
          onSave={may(
            field(
              ({ lastName }) => lastName,
              (lastName) => ({ lastName }),
            ),
          )}
        />
        <Editable
          label={people.phone}
          value={phoneText(guardian.phone)}
          kind="tel"
          shown={<PhoneNumber number={guardian.phone} />}
          bound={BOUNDS.GuardianChanges.phone}
          onSave={may(
            field(
              ({ phone }) => phoneText(phone),
              (phone) => ({ phone }),
            ),
          )}
        />
        <Editable
          label={people.email}
          value={guardian.email ?? ''}
          kind="email"
          onSave={may(
            field(
              ({ email }) => email ?? '',
              (email) => ({ email: email || null }),
            ),
          )}
        />
        <Identity person={guardian} field={(...how) => may(field(...how))} />
        <Editable
          label={people.language}
          value={guardian.preferredLocale}
          shown={OWN_NAMES[guardian.preferredLocale]}
          options={LOCALES.map((locale) => ({ id: locale, label: OWN_NAMES[locale] }))}
          onSave={may(
            field(
              ({ preferredLocale }) => preferredLocale,
              (preferredLocale) => ({ preferredLocale: preferredLocale as Guardian['preferredLocale'] }),
            ),
          )}
        />
      </Facts>
    </Section>
  )
}
