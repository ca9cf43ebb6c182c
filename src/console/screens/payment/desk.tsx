import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Check, Choice, Segments } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { instantOf } from '../../words/zone.ts'
import { oldestFirst, spread, sumOf, type Allocation } from '../../../shared/allocate.ts'
import { Cheques } from './cheques.tsx'
import type { Bill, OpenInvoice } from './payer.ts'
import { UseCredit } from './credit.tsx'
import { PaidBy, usePaying } from './paid-by.tsx'
import { useTake, type Method } from './take.ts'

const METHODS: readonly Method[] = ['cash', 'card', 'bank_transfer', 'cheque']
/** As many as one payment may be for. */
const MOST_INVOICES = 50

const LAST_METHOD = 'institute.method'

const lastMethod = (): Method => {
  const kept = localStorage.getItem(LAST_METHOD) as Method
  return METHODS.includes(kept) ? kept : 'cash'
}

/** The last used first; they stay where they are while one takes a payment. */
const lastFirst = (): Method[] => {
  const last = lastMethod()
  return [last, ...METHODS.filter((method) => method !== last)]
}

interface DeskProps {
  bill: Bill
  /** The invoice for which somebody came; null: all of them. */
  only: string | null
  /** The guardian who has come, where another one pays by record; null: whoever pays by record. */
  by: string | null
  onTaken: (receipt: Schemas['Receipt']) => void
}

/** What is open, what is paid of it, and how. */
export const Desk = ({ bill, only, by, onTaken }: DeskProps) => {
  const { students, invoices, credits } = bill
  const { payment: words, cheques: chequeWords } = useWords()
  const format = useFormat()
  const { institute } = useMe()
  const [isSeries, setSeries] = useState(false)
  const currencies = [...new Set([...invoices, ...credits].map((one) => one.currency))].toSorted(
    (one, other) => Number(other === institute.currency) - Number(one === institute.currency),
  )
  const [picked, setPicked] = useState(() => invoices.find(({ id }) => id === only)?.currency)
  const currency = currencies.find((one) => one === picked) ?? currencies[0] ?? institute.currency
  const shown = oldestFirst(invoices.filter((invoice) => invoice.currency === currency))
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<string>>(
    () =>
      new Set(invoices.some(({ id }) => id === only) ? invoices.map(({ id }) => id).filter((id) => id !== only) : []),
  )
  const chosen = shown.filter(({ id }) => !excludedIds.has(id)).slice(0, MOST_INVOICES)
  const owed = sumOf(chosen)
  // What is typed instead of the sum; undefined: nothing was.
  const [typed, setTyped] = useState<number | null>()
  const [methods] = useState(lastFirst)
  const [method, setMethod] = useState(lastMethod)
  const payer = usePaying(bill, chosen, by)
  const [reference, setReference] = useState('')
  // undefined: today, whenever that is; null: what is typed is no date.
  const [typedDay, setDay] = useState<string | null>()
  const [isOtherDay, setOtherDay] = useState(false)
  const day = typedDay === undefined ? format.today() : typedDay
  const take = useTake(onTaken)
  const amount = typed === undefined ? owed : typed
  const allocations = amount === null || amount <= 0 ? undefined : spread(chosen, amount)
  const surplus = Math.max(0, (amount ?? 0) - owed)
  const money = (amountMinor: number) => format.money({ amountMinor, currency })
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(excludedIds)
    if (isChosen) next.delete(id)
    else next.add(id)
    setExcludedIds(next)
    setTyped(undefined)
  }
  const dayError = day === null ? words.noDay : day > format.today() ? words.future : undefined
  const submit = () => {
    if (!allocations || dayError !== undefined) return
    localStorage.setItem(LAST_METHOD, method)
    take.send({
      allocations,
      ...(surplus > 0 && { amountMinor: owed + surplus }),
      ...payer.paidBy(surplus > 0),
      currency: currency as Schemas['Currency'],
      method,
      ...(reference.trim() !== '' && { reference: reference.trim() }),
      ...(day !== null && day !== format.today() && { receivedAt: instantOf(day, '12:00', format.zone) }),
    })
  }
  const amountError = (): string | undefined => {
    if (typed === undefined) return undefined
    return amount === null || amount <= 0 ? words.noAmount : undefined
  }
  const error = amountError()
  return (
    <div className={isSeries ? 'two till series' : 'two till'}>
      <Section title={words.open}>
        <fieldset role="none" className="plain" disabled={take.isBusy}>
          {currencies.length > 1 && (
            <Choice
              label={words.currency}
              value={currency}
              onChange={(id) => {
                setPicked(id)
                setTyped(undefined)
              }}
              options={currencies.map((id) => ({ id, label: id }))}
            />
          )}
          <UseCredit bill={bill} currency={currency} chosen={chosen} onUsed={() => setTyped(undefined)} />
          <OpenInvoices
            invoices={shown}
            none={words.nothingOpen(bill.name)}
            students={students}
            chosen={new Set(chosen.map(({ id }) => id))}
            allocations={allocations}
            onChoose={choose}
          />
        </fieldset>
      </Section>
      <section className="section">
        <div className="card padded">
          {isSeries ? (
            <Cheques
              chosen={chosen}
              owed={owed}
              currency={currency as Schemas['Currency']}
              payer={payer}
              onTaken={onTaken}
              onLeave={() => setSeries(false)}
            />
          ) : (
            <Form onSubmit={submit} label={words.title}>
              <fieldset role="none" className="plain" disabled={take.isBusy}>
                <MoneyField
                  // Choosing other invoices begins with their sum again.
                  key={[...excludedIds].join(' ')}
                  label={words.amount}
                  currency={currency}
                  value={chosen.length === 0 && typed === undefined ? null : amount}
                  onChange={setTyped}
                  isLarge
                  autoFocus={shown.length === 0 && bill.others.length === 0}
                  {...(chosen.length === 0 && shown.length > 0 && { hint: words.aheadHint })}
                  {...(error !== undefined && { error })}
                />
                <PaidBy {...payer} />
                <Segments
                  label={words.method}
                  isWide
                  value={method}
                  onChange={setMethod}
                  options={methods.map((id) => ({ id, label: words.methods[id] }))}
                />
                {method === 'cheque' && (
                  <p className="spaced">
                    <Button look="quiet" onPress={() => setSeries(true)}>
                      {chequeWords.several}
                    </Button>
                  </p>
                )}
                {method !== 'cash' && (
                  <Field
                    label={method === 'cheque' ? words.cheque : words.reference}
                    {...(method === 'cheque' && { hint: words.chequeHint })}
                    isOptional
                    isLtr
                    value={reference}
                    onChange={setReference}
                    maxLength={BOUNDS.NewReceipt.reference.maxLength}
                  />
                )}
                {isOtherDay ? (
                  <DateField
                    label={words.receivedOn}
                    value={day}
                    onChange={setDay}
                    autoFocus
                    {...(dayError !== undefined && { error: dayError })}
                  />
                ) : (
                  <p className="spaced">
                    <span className="soft">{words.receivedToday}</span>{' '}
                    <Button look="quiet" onPress={() => setOtherDay(true)}>
                      {words.otherDay}
                    </Button>
                  </p>
                )}
              </fieldset>
              {amount !== null && amount > 0 && amount < owed && (
                <p className="left">
                  <span className="soft">{words.stillOpen}</span>
                  <bdi className="amount">{money(owed - amount)}</bdi>
                </p>
              )}
              {surplus > 0 && (
                <Notice meaning="info">
                  <span className="grow">{words.staysAsCredit(money(surplus), payer.name)}</span>
                </Notice>
              )}
              {take.isUncertain ? (
                <Notice meaning="warn" isAlert>
                  {words.uncertain}
                </Notice>
              ) : (
                take.problem && <ProblemNotice problem={take.problem} />
              )}
              <Button
                type="submit"
                look="primary"
                isBig
                isWide
                isBusy={take.isBusy}
                isDisabled={!allocations}
                autoFocus={shown.length > 0}
              >
                {allocations ? words.take(money(amount ?? 0)) : words.title}
              </Button>
            </Form>
          )}
        </div>
      </section>
    </div>
  )
}

interface OpenInvoicesProps {
  invoices: readonly OpenInvoice[]
  /** What is said where there are none. */
  none: string
  students: Bill['students']
  chosen: ReadonlySet<string>
  /** undefined: the amount is none. */
  allocations: readonly Allocation[] | undefined
  onChoose: (id: string, isChosen: boolean) => void
}

const OpenInvoices = ({ invoices, none, students, chosen, allocations, onChoose }: OpenInvoicesProps) => {
  const { payment: words } = useWords()
  const format = useFormat()
  const today = format.today()
  if (invoices.length === 0) {
    return (
      <div className="card">
        <Empty>
          <p>{none}</p>
          <p>{words.nothingOpenHint}</p>
        </Empty>
      </div>
    )
  }
  return (
    <ul className="card" aria-label={words.open}>
      {invoices.map(({ id, number, studentId, dueDate, openMinor, currency, firstLine, lineCount }) => {
        const part = allocations?.find(({ invoiceId }) => invoiceId === id)?.amountMinor ?? 0
        const money = (amountMinor: number) => format.money({ amountMinor, currency })
        return (
          <li key={id}>
            <div className="row">
              <Check
                isChecked={chosen.has(id)}
                onChange={(isChosen) => onChoose(id, isChosen)}
                aria-label={words.payInvoice(number, money(openMinor))}
              >
                <bdi className="name">{students.get(studentId)}</bdi>
                <span className="about">
                  <Dotted>
                    {firstLine !== '' && <bdi>{firstLine}</bdi>}
                    {lineCount > 1 && words.moreLines(lineCount - 1)}
                    <span className="ltr">{number}</span>
                    {words.due(format.date(dueDate))}
                  </Dotted>
                </span>
              </Check>
              <span className="ends">
                <span className="amount">
                  <bdi>{money(openMinor)}</bdi>
                  {chosen.has(id) && allocations && part < openMinor && (
                    <span className="small">{words.partOf(money(part))}</span>
                  )}
                </span>
                {dueDate < today && <Badge meaning="bad">{words.overdue}</Badge>}
              </span>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
