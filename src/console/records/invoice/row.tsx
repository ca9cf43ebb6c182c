import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { InvoiceStatus } from './status.tsx'

type Invoice = Schemas['ListedInvoice']

/** To the receipts of somebody who paid, or for whom: they are printed again from there. */
export const ReceiptsLink = ({ of: name }: { of: string }) => {
  const { invoices: words } = useWords()
  return (
    <ButtonLink look="quiet" to={`/receipts?q=${encodeURIComponent(name)}`}>
      {words.receipts}
    </ButtonLink>
  )
}

/** What is still to be paid of one invoice. */
export const InvoiceRow = ({
  invoice,
}: {
  invoice: Pick<Invoice, 'id' | 'number' | 'status' | 'dueDate' | 'total' | 'balance'>
}) => {
  const { people } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { id, number, status, dueDate, total, balance } = invoice
  const content = (
    <>
      <span className="grow">
        <span className="name ltr-text">{number}</span>
        <span className="about">{people.due(format.date(dueDate))}</span>
      </span>
      <InvoiceStatus status={status} />
      <span className="amount">
        <bdi>{format.money(balance)}</bdi>
        {balance.amountMinor !== total.amountMinor && (
          <span className="small">{people.ofTotal(format.money(total))}</span>
        )}
      </span>
    </>
  )
  // A family sees what it owes, and has no page of an invoice.
  if (!can('invoices.read')) return <div className="row">{content}</div>
  return (
    <Link href={`/invoices/${id}`} className="row">
      {content}
    </Link>
  )
}
