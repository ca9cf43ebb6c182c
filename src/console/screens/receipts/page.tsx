import { addDays } from '../../../shared/dates.ts'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Receipt } from '../../records/receipt/reads.ts'
import { NarrowedDays, NarrowedTo, useNarrowing } from '../../records/narrowed/narrowed-to.tsx'
import { ReceiptTabs } from '../../records/receipt/tabs.tsx'

const TIMES = ['any', 'today', 'week', 'month'] as const
type Time = (typeof TIMES)[number]

const isTime = (text: string | undefined): text is Time => TIMES.includes(text as Time)

const A_WEEK = 6
const A_MONTH = 30

/** Receipts, the newest first: found by number or name, to be printed again. */
export const Screen = () => {
  const { payment: words, invoices } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { filters, set, clear } = useFilters(['q', 'time', 'from', 'to', 'method', 'branch', 'course', 'group'])
  const { q } = filters
  const time: Time = isTime(filters.time) ? filters.time : 'any'
  const today = format.today()
  const days = { any: undefined, today: 0, week: A_WEEK, month: A_MONTH }[time]
  const { from, to, ...narrowing } = useNarrowing(filters)
  // Days that a report names, or those of the choice.
  const isSpan = from !== undefined && to !== undefined
  const since = days === undefined ? undefined : addDays(today, -days)
  const methods = Object.keys(words.methods) as (keyof typeof words.methods)[]
  const method = methods.find((one) => one === filters.method)
  const narrow = {
    ...(q && { q }),
    ...(isSpan ? { from, to } : since && { from: since }),
    ...(method && { method }),
    ...narrowing,
  }
  const receipts = usePages<Receipt>(['/receipts', 'list', narrow], (cursor, signal) =>
    answer(api.GET('/receipts', { params: { query: { ...narrow, ...(cursor && { cursor }), limit: 50 } }, signal })),
  )
  const sums = useGet(
    ['/receipts', 'sums', narrow],
    (signal) => answer(api.GET('/receipts/sums', { params: { query: narrow }, signal })),
    { keepsFormer: true },
  )
  const search = useCallback((typed: string) => set('q', typed), [set])
  return (
    <Page
      title={invoices.receipts}
      actions={
        <>
          <Download path="/receipts" query={narrow} />
          {can('payments.record') && (
            <ButtonLink to="/pay" look="primary">
              {words.title}
            </ButtonLink>
          )}
        </>
      }
    >
      <ReceiptTabs at="/receipts" />
      <div className="filters">
        <SearchField label={words.findReceipt} value={q ?? ''} onChange={search} />
        {isSpan ? (
          <NarrowedDays from={from} to={to} names={['from', 'to']} set={set} />
        ) : (
          <Choice
            label={words.received}
            isLabelUnseen
            options={TIMES.map((id) => ({ id, label: words.times[id] }))}
            value={time}
            onChange={(id) => set('time', id === 'any' ? '' : id)}
          />
        )}
        <Choice
          label={words.method}
          isLabelUnseen
          options={[{ id: 'any', label: words.anyMethod }, ...methods.map((id) => ({ id, label: words.methods[id] }))]}
          value={method ?? 'any'}
          onChange={(id) => set('method', id === 'any' ? '' : id)}
        />
        <NarrowedTo filters={filters} set={set} />
      </div>
      <Rows
        pages={receipts}
        label={invoices.receipts}
        keyOf={({ id }) => id}
        empty={
          Object.keys(filters).length > 0 ? (
            <>
              <p>{words.noReceiptFound}</p>
              <Button onPress={clear}>{words.allReceipts}</Button>
            </>
          ) : (
            <p>{words.noReceipts}</p>
          )
        }
      >
        {(receipt) => <ReceiptRow receipt={receipt} />}
      </Rows>
      {sums.data && <Foot sums={sums.data} />}
    </Page>
  )
}

/** What all receipts of the list come to, also those that are not shown yet. */
const Foot = ({ sums: { count, cancelled, totals } }: { sums: Schemas['ReceiptSums'] }) => {
  const { payment: words } = useWords()
  const format = useFormat()
  if (count === 0) return null
  if (count === null || cancelled === null || totals === null) return <p className="soft">{words.tooManyToSum}</p>
  return (
    <p className="list-foot">
      <span>
        {words.receiptCount(count)}
        {cancelled > 0 && <span className="soft"> {words.withoutCancelled(cancelled)}</span>}
      </span>
      <bdi className="amount">{format.list(totals.map((total) => format.money(total)))}</bdi>
    </p>
  )
}

const ReceiptRow = ({ receipt }: { receipt: Receipt }) => {
  const { payment: words, till } = useWords()
  const format = useFormat()
  const { id, number, students, payerName, receivedAt, method, amount, cheques, cancelledAt } = receipt
  // No sum of what was collected has them before their day.
  const held = cheques.filter(({ status }) => status === 'held')
  const heldMinor = held.reduce((sum, cheque) => sum + cheque.amount.amountMinor, 0)
  const names = format.list(students.map(({ fullName }) => fullName))
  return (
    <Link href={`/receipts/${id}`} className="row">
      <span className="grow">
        <bdi className="name">{payerName ?? names}</bdi>
        <span className="about">
          <Dotted>
            <span className="ltr">{number}</span>
            <bdi>{format.date(format.dateOf(receivedAt))}</bdi>
            {words.methods[method]}
            {payerName !== null && students.length > 0 && <span>{names}</span>}
            {held.length > 0 && (
              <span>{till.heldCheques(held.length, format.money({ ...amount, amountMinor: heldMinor }))}</span>
            )}
          </Dotted>
        </span>
      </span>
      {cancelledAt !== null && <Badge meaning="warn">{words.cancelled}</Badge>}
      <bdi className={cancelledAt === null ? 'amount' : 'amount gone'}>{format.money(amount)}</bdi>
      <Icon name="forward" />
    </Link>
  )
}
