import { useEffect } from 'react'
import { useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { Editable, Facts } from '../../parts/editable.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Initials, Phone } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { LOCALES, OWN_NAMES } from '../../words/locale.ts'
import { remember } from '../find/recent.ts'
import { ChildRow, useFamily } from '../student/family.tsx'
import { InvoiceRow } from '../student/money.tsx'

type Guardian = Schemas['Guardian']

const readGuardian = (id: string, signal?: AbortSignal): Promise<Guardian> =>
  answer(api.GET('/guardians/{id}', { params: { path: { id } }, ...(signal && { signal }) }))

/** One guardian: phones that call, the children, what the family owes. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { people } = useWords()
  const guardian = useGet(['/guardians', id], (signal) => readGuardian(id, signal))
  if (guardian.data) return <One guardian={guardian.data} />
  return (
    <Page title={people.guardian}>
      <Loaded query={guardian}>{() => null}</Loaded>
    </Page>
  )
}

const One = ({ guardian }: { guardian: Guardian }) => {
  const { people } = useWords()
  const format = useFormat()
  const { id, phone } = guardian
  const name = `${guardian.firstName} ${guardian.lastName}`
  useEffect(() => remember({ type: 'guardian', id, label: name, sublabel: phone }), [id, name, phone])
  const family = useFamily(id)
  const money = family.data?.financial
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
          {money && money.balance.amountMinor > 0 && (
            <Badge meaning="warn">{people.owes(format.money(money.balance))}</Badge>
          )}
        </span>
      }
    >
      <div className="two">
        <div>
          <Section title={people.children}>
            <div className="card">
              <Loaded query={family}>
                {({ children }) =>
                  children.length === 0 ? (
                    <Empty>{people.noChildren}</Empty>
                  ) : (
                    children.map((child) => (
                      <ChildRow
                        key={child.studentId}
                        child={child}
                        end={
                          child.balance &&
                          child.balance.amountMinor > 0 && (
                            <span className="amount">
                              <bdi>{format.money(child.balance)}</bdi>
                            </span>
                          )
                        }
                      />
                    ))
                  )
                }
              </Loaded>
            </div>
          </Section>
          {money && <OpenInvoices invoices={money.openInvoices} />}
        </div>
        <Details guardian={guardian} />
      </div>
    </Page>
  )
}

const OpenInvoices = ({ invoices }: { invoices: readonly Schemas['FamilyInvoice'][] }) => {
  const { people } = useWords()
  return (
    <Section title={people.openInvoices}>
      <div className="card">
        {invoices.length === 0 && <Empty>{people.noOpenInvoices}</Empty>}
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </div>
    </Section>
  )
}

const Details = ({ guardian }: { guardian: Guardian }) => {
  const { people, edit } = useWords()
  const { can } = useMe()
  const { id } = guardian
  const field = fieldsOf<Guardian & { version?: never }, Schemas['GuardianChanges']>({
    key: ['/guardians', id],
    change: 'guardian',
    read: () => readGuardian(id),
    send: (changes) => answer(api.PATCH('/guardians/{id}', { params: { path: { id } }, body: changes })),
  })
  const may = <T,>(save: T): T | undefined => (can('guardians.write') ? save : undefined)
  const needed = (typed: string) => (typed === '' ? edit.missing : undefined)
  return (
    <Section title={people.details}>
      <Facts>
        <Editable
          label={people.firstName}
          value={guardian.firstName}
          check={needed}
          maxLength={100}
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
          check={needed}
          maxLength={100}
          onSave={may(
            field(
              ({ lastName }) => lastName,
              (lastName) => ({ lastName }),
            ),
          )}
        />
        <Editable
          label={people.phone}
          value={guardian.phone}
          kind="tel"
          shown={<span className="ltr">{guardian.phone}</span>}
          check={needed}
          onSave={may(
            field(
              ({ phone }) => phone,
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
