import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Totals } from '../../parts/figures.tsx'
import { NarrowedTo, useNarrowing } from '../../records/narrowed/narrowed-to.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Movement = Schemas['CollectedRow']

/** `/reports/income/collected`: what came in and went out, behind a figure of the report about income. */
export const Screen = () => {
  const { reporting: words, payment } = useWords()
  const format = useFormat()
  const { filters, set } = useFilters(['from', 'to', 'method', 'currency', 'branch', 'course', 'group'])
  const narrowing = useNarrowing(filters)
  const methods = Object.keys(payment.methods) as (keyof typeof payment.methods)[]
  const method = methods.find((one) => one === filters.method)
  const query = {
    from: `${format.today().slice(0, 7)}-01`,
    ...narrowing,
    ...(method && { method }),
    ...(filters.currency && { currency: filters.currency as Movement['amount']['currency'] }),
  }
  const ledger = usePages<Movement, Schemas['Collected']>(['/reports', 'collected', query], (cursor, signal) =>
    answer(
      api.GET('/reports/income/collected', {
        params: { query: { ...query, limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  const { from = query.from, to = format.today(), totals = [] } = ledger.first ?? {}
  return (
    <>
      <Back to="/reports/income" label={words.income} />
      <Page
        title={words.ledger}
        about={format.range(from, to)}
        actions={<Download path="/reports/income/collected" query={query} />}
      >
        <div className="filters">
          <Choice
            label={payment.method}
            isLabelUnseen
            options={[
              { id: 'any', label: payment.anyMethod },
              ...methods.map((id) => ({ id, label: payment.methods[id] })),
            ]}
            value={method ?? 'any'}
            onChange={(id) => set('method', id === 'any' ? '' : id)}
          />
          <div className="range">
            <DateField label={words.from} value={from} onChange={(day) => day && set('from', day)} />
            <DateField label={words.to} value={to} onChange={(day) => day && set('to', day)} />
          </div>
          <NarrowedTo filters={filters} set={set} />
        </div>
        <div className="report">
          <Totals
            figures={totals.map((total) => ({
              label: totals.length > 1 ? `${words.collected} (${total.currency})` : words.collected,
              number: format.money(total),
            }))}
          />
          <Rows pages={ledger} label={words.ledger} keyOf={({ id }) => id} empty={<p>{words.nothing}</p>}>
            {(movement) => <MovementRow movement={movement} />}
          </Rows>
        </div>
      </Page>
    </>
  )
}

const MovementRow = ({ movement }: { movement: Movement }) => {
  const { accounts, payment } = useWords()
  const format = useFormat()
  const { kind, receivedAt, payerName, studentName, method, receiptId, receiptNumber, amount } = movement
  const { refundNumber, invoiceNumber } = movement
  const number = receiptNumber ?? refundNumber
  const row = (
    <>
      <span className="grow">
        <bdi className="name">{payerName}</bdi>
        <span className="about">
          <Dotted>
            <bdi>{format.date(format.dateOf(receivedAt))}</bdi>
            {method !== null && payment.methods[method]}
            {kind !== 'payment' && <span>{accounts.kinds[kind]}</span>}
            {number !== null && <span className="ltr">{number}</span>}
            {invoiceNumber !== null && <span className="ltr">{invoiceNumber}</span>}
            {studentName !== null && studentName !== payerName && <bdi>{studentName}</bdi>}
          </Dotted>
        </span>
      </span>
      <bdi className="amount">{format.money(amount)}</bdi>
    </>
  )
  return receiptId === null ? (
    <div className="row">{row}</div>
  ) : (
    <Link href={`/receipts/${receiptId}`} className="row">
      {row}
    </Link>
  )
}
