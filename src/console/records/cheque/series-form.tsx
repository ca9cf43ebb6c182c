import { BOUNDS } from '../../api/bounds.ts'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm, type Refusal } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { fillSeries, type ChequeRow } from './series.ts'

/** As many as one receipt has. */
const MOST = 60

/** The first of them, and what is said of all. */
interface Typed extends ChequeRow {
  bank: string
  branch: string
  account: string
  /** How many. */
  count: string
  /** What differs in one of those that follow. */
  changed: ReadonlyMap<number, Partial<ChequeRow>>
}

const isEmpty = (value: string | number | null): boolean => value === null || value === 0 || String(value).trim() === ''

const countOf = ({ count }: Typed): number | undefined => {
  const number = numberOf(count) ?? Number.NaN
  return number >= 1 && number <= MOST ? number : undefined
}

type NewCheque = Schemas['NewCheques']['cheques'][number]

interface SeriesProps {
  /** What they come to where no amount is typed. */
  owed: number
  currency: Schemas['Currency']
  /** The account that they are probably of. */
  usual?: Pick<NewCheque, 'bank' | 'branch' | 'account'>
  /** What is to be said of them besides. */
  before?: ReactNode
  /** @param sum what they come to */
  send: (cheques: NewCheque[], sum: number) => Promise<void>
  /** What is left of what is owed, and what is above it, in words. */
  difference: (sum: number) => ReactNode
  leave: { verb: string; onLeave: () => void }
}

/** Cheques that are brought at once: the first is typed, the others follow from it a month apart, and each can be changed. */
export const ChequeSeries = ({ owed, currency, usual, before, send, difference, leave }: SeriesProps) => {
  const { cheques: words, refusals } = useWords()
  const format = useFormat()
  const rowsOf = (typed: Typed) => fillSeries(typed, { count: countOf(typed) ?? 1, owed, changed: typed.changed })
  const sumOf = (all: readonly ChequeRow[]) => all.reduce((sum, row) => sum + (row.amountMinor ?? 0), 0)
  const told = ({ reason }: Refusal) => reason && refusals.reasons[reason]
  const form = useForm<Typed>({
    start: () => ({
      bank: '',
      branch: '',
      account: '',
      ...usual,
      number: '',
      amountMinor: null,
      dueOn: format.today(),
      count: '1',
      changed: new Map(),
    }),
    // What is owed is divided among them, as long as no amount is typed.
    bounds: { ...BOUNDS.NewCheque, amountMinor: {} },
    missing: words.missing,
    refused: { number: told, amountMinor: told, dueOn: told },
    rules: (typed) => {
      const [first, ...others] = rowsOf(typed)
      return {
        amountMinor: isEmpty(first?.amountMinor ?? null) && words.missing,
        count: countOf(typed) === undefined && words.countWrong,
        changed: others.some((row) => [row.number, row.amountMinor, row.dueOn].some(isEmpty)) && words.missing,
      }
    },
    send: async (typed) => {
      const { bank, branch, account } = typed
      const all = rowsOf(typed)
      const cheques = all.map(({ number, amountMinor, dueOn }) => ({
        bank,
        branch,
        account,
        number: number.trim(),
        amountMinor: amountMinor ?? 0,
        dueOn: dueOn ?? '',
      }))
      await send(cheques, sumOf(all))
    },
  })
  const rows = rowsOf(form.typed)
  const count = rows.length
  const sum = sumOf(rows)
  const money = (amountMinor: number) => format.money({ amountMinor, currency })
  /** What a field of one of them is given. */
  const field = <Name extends keyof ChequeRow>(at: number, name: Name) => {
    const { typed, set, isTried } = form
    const value = (rows[at] ?? typed)[name]
    const ofFirst = { ...form.field(name), value }
    // Of several, the form does not know which one the server refuses: that is said beside the button.
    if (count === 1) return ofFirst
    const { error: _, ...given } = ofFirst
    const { changed } = typed
    return {
      ...given,
      ...(at > 0 && {
        onChange: (now: ChequeRow[Name]) =>
          set({ changed: new Map([...changed, [at, { ...changed.get(at), [name]: now }]]) }),
      }),
      ...(isTried && isEmpty(value) && { error: words.missing }),
    }
  }
  // Ten cheques are ten parts of a year, or ten months ahead.
  const isDivided = count > 1 && owed > 0 && form.typed.amountMinor === null && form.typed.changed.size === 0
  const isToldAtFields = form.isToldAtFields && count === 1
  return (
    <Form form={{ ...form, problem: undefined, isToldAtFields }} label={words.first} footer={null}>
      <fieldset role="none" className="plain cheques" disabled={form.isBusy}>
        {before}
        <div className="thirds">
          <Field label={words.bank} isLtr autoFocus={usual === undefined} {...form.field('bank')} />
          <Field label={words.branch} isLtr {...form.field('branch')} />
          <Field label={words.account} isLtr {...form.field('account')} />
        </div>
        <div className="thirds">
          <Field
            label={words.number}
            isLtr
            inputMode="numeric"
            autoFocus={usual !== undefined}
            {...field(0, 'number')}
          />
          <MoneyField label={words.amount} currency={currency} {...field(0, 'amountMinor')} />
          <DateField label={words.dueOn} {...field(0, 'dueOn')} />
        </div>
        <Field
          label={words.count}
          isLtr
          inputMode="numeric"
          {...form.field('count')}
          {...(countOf(form.typed) === undefined && { error: words.countWrong })}
        />
        {count > 1 && (
          <ol className="series" aria-label={words.all}>
            {rows.map((row, at) => (
              <li key={`${at + 1}`}>
                {at === 0 ? (
                  <span className="thirds known">
                    <bdi>{row.number}</bdi>
                    <bdi>{money(row.amountMinor ?? 0)}</bdi>
                    <bdi>{row.dueOn === null ? '' : format.date(row.dueOn)}</bdi>
                  </span>
                ) : (
                  <fieldset className="plain thirds">
                    <legend className="unseen">{words.one(at + 1)}</legend>
                    <Field label={words.number} isLabelUnseen isLtr inputMode="numeric" {...field(at, 'number')} />
                    <MoneyField
                      label={words.oneAmount}
                      isLabelUnseen
                      currency={currency}
                      {...field(at, 'amountMinor')}
                    />
                    <DateField label={words.dueOn} isLabelUnseen {...field(at, 'dueOn')} />
                  </fieldset>
                )}
              </li>
            ))}
          </ol>
        )}
      </fieldset>
      <p className="left" role="status">
        <span>{words.sum(count, money(sum))}</span>
        {difference(sum)}
      </p>
      {isDivided && (
        <Button look="quiet" onPress={() => form.set({ amountMinor: owed })}>
          {words.eachWhole(money(owed), money(owed * count))}
        </Button>
      )}
      {form.problem !== undefined && !isToldAtFields && <ProblemNotice problem={form.problem} />}
      <Button type="submit" look="primary" isBig isWide isBusy={form.isBusy}>
        {words.take(count)}
      </Button>
      <Button look="quiet" onPress={leave.onLeave}>
        {leave.verb}
      </Button>
    </Form>
  )
}
