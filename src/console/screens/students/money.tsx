import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { InvoiceStatus, isOpen } from '../../records/invoice/status.tsx'

type Invoice = Schemas['ListedInvoice']

/** The open invoices, the newest first. The balance stands in the head. */
export const Money = ({ studentId, name }: { studentId: string; name: string }) => {
  const { people, invoices: words, shell } = useWords()
  const { can } = useMe()
  const invoices = usePages<Invoice>(['/students', studentId, 'invoices'], (cursor, signal) => {
    const query = { limit: 50, ...(cursor && { cursor }) }
    return answer(api.GET('/students/{id}/invoices', { params: { path: { id: studentId }, query }, signal }))
  })
  const open = invoices.rows?.filter(isOpen)
  return (
    <Section
      title={people.openInvoices}
      actions={
        <span className="actions">
          <ReceiptsLink of={name} />
          <PaperButton path={`/students/${studentId}/statement/pdf`}>{shell.statement}</PaperButton>
          {can('invoices.write') && (
            <ButtonLink look="quiet" icon="plus" to={`/invoices/new?student=${studentId}`}>
              {words.add}
            </ButtonLink>
          )}
        </span>
      }
    >
      <Rows
        pages={{ ...invoices, rows: open }}
        label={people.openInvoices}
        keyOf={({ id }) => id}
        empty={people.noOpenInvoices}
      >
        {(invoice) => <InvoiceRow invoice={invoice} />}
      </Rows>
    </Section>
  )
}

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
