import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Download } from '../../parts/download.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useGuardian } from '../../records/guardian/reads.ts'
import { useStudent } from '../../records/student/reads.ts'
import { Entries } from './entries.tsx'
import type { Holder } from './holder.ts'
import { RefundSheet } from './refund.tsx'
import { UseCredit } from './use-credit.tsx'

type Sums = Schemas['AccountInCurrency']
type Scope = 'own' | 'family'

export const GuardianScreen = () => {
  const { id = '' } = useParams()
  const { can } = useMe()
  const { data } = useGuardian(id, !can('guardians.read'))
  return <Account key={id} holder={{ kind: 'guardians', id, name: data ? `${data.firstName} ${data.lastName}` : '' }} />
}

export const StudentScreen = () => {
  const { id = '' } = useParams()
  const { can } = useMe()
  const { data } = useStudent(id, !can('students.read'))
  return <Account key={id} holder={{ kind: 'students', id, name: data?.fullName ?? '' }} />
}

const SUMS_ALONE = { limit: 1 }

const useSums = ({ kind, id }: Holder, scope: Scope, currency: string | undefined) =>
  useGet([`/${kind}`, id, 'account', scope, currency ?? ''], (signal) => {
    const chosen = currency === undefined ? {} : { currency: currency as Schemas['Currency'] }
    const params = { path: { id }, query: { ...SUMS_ALONE, scope, ...chosen } }
    return answer<Schemas['Account']>(
      kind === 'guardians'
        ? api.GET('/guardians/{id}/account', { params, signal })
        : api.GET('/students/{id}/account', { params, signal }),
    )
  })

/** What somebody owes and has in credit, and how it came to be: as a bank writes it. */
const Account = ({ holder }: { holder: Holder }) => {
  const { accounts: words, shell, payment } = useWords()
  const { can } = useMe()
  const { filters, set } = useFilters(['scope', 'currency'])
  const scope: Scope = filters.scope === 'family' ? 'family' : 'own'
  const { currency } = filters
  const [asked, setAsked] = useState<'use' | 'refund'>()
  const account = useSums(holder, scope, currency)
  const { kind, id, name } = holder
  const query = new URLSearchParams({ scope, ...(currency !== undefined && { currency }) })
  // What a family has in credit is of several people: it is used, or paid out, on the account of each.
  const credit = scope === 'own' ? account.data?.credit : undefined
  const hasCredit = credit !== undefined && credit.amountMinor > 0 && can('payments.record')
  const more: MenuEntry[] = hasCredit
    ? [
        { id: 'use', label: words.spend, onSelect: () => setAsked('use') },
        { id: 'refund', label: words.refund, onSelect: () => setAsked('refund') },
      ]
    : []
  const close = () => setAsked(undefined)
  return (
    <Page
      title={words.title}
      {...(name !== '' && { name: words.of(name) })}
      about={
        name !== '' && (
          <Link href={`/${kind}/${id}`} className="link">
            <bdi>{name}</bdi>
          </Link>
        )
      }
      actions={
        <>
          {more.length > 0 && <Menu label={shell.more} entries={more} />}
          <Download path={`/${kind}/${id}/account/entries`} query={{ scope, currency }} />
          <PaperButton path={`/${kind}/${id}/account/pdf?${query}`} />
          {can('payments.record') && (
            <ButtonLink look="primary" to={`/pay/${kind}/${id}`}>
              {payment.title}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="filters">
        <Segments
          label={words.whose}
          isLabelUnseen
          value={scope}
          onChange={(one) => set('scope', one === 'own' ? '' : one)}
          options={(['own', 'family'] as const).map((one) => ({ id: one, label: words.scopes[one] }))}
        />
      </div>
      <Loaded query={account}>
        {(sums) => (
          <>
            <Figures sums={sums} />
            {sums.otherCurrencies.map((other) => (
              <Other key={other.currency} sums={other} onChoose={() => set('currency', other.currency)} />
            ))}
            <Section title={words.entries}>
              <div className="account-entries">
                <Entries holder={holder} scope={scope} currency={currency} />
              </div>
            </Section>
          </>
        )}
      </Loaded>
      {hasCredit && asked === 'refund' && <RefundSheet holder={holder} credit={credit} onClose={close} />}
      {hasCredit && <UseCredit holder={holder} credit={credit} isOpen={asked === 'use'} onClose={close} />}
    </Page>
  )
}

/** A balance below nothing is theirs, and said so. */
const useBalance = ({ balance }: Pick<Sums, 'balance'>) => {
  const { accounts: words } = useWords()
  const format = useFormat()
  return balance.amountMinor < 0
    ? { label: words.inFavour, amount: format.money({ ...balance, amountMinor: -balance.amountMinor }) }
    : { label: words.balance, amount: format.money(balance) }
}

const Figures = ({ sums }: { sums: Sums }) => {
  const { accounts: words } = useWords()
  const format = useFormat()
  const balance = useBalance(sums)
  return (
    <dl className="card account-sums">
      <div>
        <dt>{words.owed}</dt>
        <dd>
          <bdi>{format.money(sums.owed)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{words.credit}</dt>
        <dd>
          <bdi>{format.money(sums.credit)}</bdi>
        </dd>
      </div>
      <div className="strong">
        <dt>{balance.label}</dt>
        <dd>
          <bdi>{balance.amount}</bdi>
        </dd>
      </div>
    </dl>
  )
}

/** What there is in another currency, which is one tap away. */
const Other = ({ sums, onChoose }: { sums: Sums; onChoose: () => void }) => {
  const { accounts: words } = useWords()
  const balance = useBalance(sums)
  return (
    <button type="button" className="row other-currency" onClick={onChoose}>
      <span className="grow">{words.alsoIn(sums.currency)}</span>
      <span className="soft">{balance.label}</span>
      <bdi className="amount">{balance.amount}</bdi>
    </button>
  )
}
