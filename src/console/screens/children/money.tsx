import { Redirect, useParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { usePointed } from '../../parts/pointed.ts'
import { PaperIcon } from '../../records/family/paper-icon.tsx'
import { PayByCard } from '../../records/family/pay-by-card.tsx'
import { useOwnMoney } from '../../records/family/reads.ts'
import { InvoiceStatus } from '../../records/invoice/status.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ChildPage } from './child.tsx'

type Money = Schemas['OwnStudentMoney']
type Invoice = Money['invoices'][number]

/** `/children/:id/money`: what is due and how it is paid, and what was paid. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  return (
    <ChildPage id={id} at="money">
      {({ seesMoney }) => (seesMoney ? <Owed id={id} /> : <Redirect to={`/children/${id}`} replace />)}
    </ChildPage>
  )
}

const Owed = ({ id }: { id: string }) => {
  const { own: words, people, invoices: invoiceWords, shell } = useWords()
  const format = useFormat()
  const query = useOwnMoney(id)
  const pointed = usePointed('invoice')
  return (
    <Loaded query={query}>
      {({ balance, invoices, receipts, howToPay, isPaidOnline }) => {
        const open = invoices.filter(({ status }) => status !== 'paid')
        const paid = invoices.filter(({ status }) => status === 'paid')
        return (
          <>
            <Section
              title={balance.amountMinor > 0 ? words.toPay(format.money(balance)) : people.settled}
              actions={<PaperButton path={`/students/${id}/statement/pdf`}>{shell.statement}</PaperButton>}
            >
              {open.length > 0 && (
                <ul className="card" aria-label={people.openInvoices}>
                  {open.map((invoice) => (
                    <li key={invoice.id} {...pointed(invoice.id)}>
                      <InvoiceLine invoice={invoice} />
                      {isPaidOnline && <PayByCard invoice={invoice} />}
                    </li>
                  ))}
                </ul>
              )}
              {open.length > 0 && howToPay !== null && (
                <div className="card below">
                  <div className="row">
                    <span className="grow">
                      <span className="name">{words.howToPay}</span>
                      <span className="about long" dir="auto">
                        {howToPay}
                      </span>
                    </span>
                  </div>
                </div>
              )}
            </Section>
            <Section title={invoiceWords.receipts}>
              {receipts.length === 0 ? <Empty>{words.noReceipts}</Empty> : <Receipts receipts={receipts} />}
            </Section>
            {paid.length > 0 && (
              <Section title={words.paidInvoices}>
                <ul className="card" aria-label={words.paidInvoices}>
                  {paid.map((invoice) => (
                    <li key={invoice.id} {...pointed(invoice.id)}>
                      <InvoiceLine invoice={invoice} />
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

const InvoiceLine = ({ invoice }: { invoice: Invoice }) => {
  const { people, payment } = useWords()
  const format = useFormat()
  const { id, number, status, issueDate, dueDate, total, balance, firstLine, lineCount, hasPaper } = invoice
  const isPaid = status === 'paid'
  return (
    <div className="row">
      <span className="grow">
        {/* Of two months with the same amount the number tells a family nothing. */}
        {firstLine === '' ? (
          <span className="name ltr-text">{number}</span>
        ) : (
          <span className="name">
            <Dotted>
              <bdi>{firstLine}</bdi>
              {lineCount > 1 && payment.moreLines(lineCount - 1)}
            </Dotted>
          </span>
        )}
        <span className="about">
          <Dotted>
            {firstLine !== '' && <bdi className="nowrap">{number}</bdi>}
            {isPaid ? format.date(issueDate) : people.due(format.date(dueDate))}
          </Dotted>
        </span>
      </span>
      {/* Of one that is simply due, its day says enough. */}
      {!isPaid && status !== 'issued' && <InvoiceStatus status={status} />}
      <span className="amount">
        <bdi>{format.money(isPaid ? total : balance)}</bdi>
        {!isPaid && balance.amountMinor !== total.amountMinor && (
          <span className="small">{people.ofTotal(format.money(total))}</span>
        )}
      </span>
      {hasPaper && <PaperIcon path={`/invoices/${id}/pdf`} number={number} />}
    </div>
  )
}

const Receipts = ({ receipts }: Pick<Money, 'receipts'>) => {
  const { own: words, payment, invoices } = useWords()
  const format = useFormat()
  const pointed = usePointed('receipt')
  return (
    <ul className="card" aria-label={invoices.receipts}>
      {receipts.map(({ id, number, receivedAt, method, amount, cancelledAt, hasPaper }) => (
        <li key={id} className="row" {...pointed(id)}>
          <span className="grow">
            <span className="name ltr-text">{number}</span>
            <span className="about">
              <Dotted>
                {format.date(format.dateOf(receivedAt))}
                {payment.methods[method]}
              </Dotted>
            </span>
          </span>
          {cancelledAt !== null && <Badge>{words.takenBack}</Badge>}
          <span className="amount">
            <bdi>{format.money(amount)}</bdi>
          </span>
          {hasPaper && <PaperIcon path={`/receipts/${id}/pdf`} number={number} />}
        </li>
      ))}
    </ul>
  )
}
