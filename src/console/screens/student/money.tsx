import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'

type Invoice = Schemas['ListedInvoice']

const MEANINGS: Readonly<Record<Invoice['status'], Meaning | undefined>> = {
  draft: undefined,
  issued: 'info',
  partially_paid: 'warn',
  paid: 'good',
  overdue: 'bad',
  void: undefined,
}

const OPEN: readonly Invoice['status'][] = ['issued', 'partially_paid', 'overdue']

const InvoiceStatus = ({ status }: { status: Invoice['status'] }) => {
  const { people } = useWords()
  const meaning = MEANINGS[status]
  return <Badge {...(meaning && { meaning })}>{people.invoiceStatuses[status]}</Badge>
}

/** The open invoices, the newest first. The balance stands in the head. */
export const Money = ({ studentId }: { studentId: string }) => {
  const { people } = useWords()
  const invoices = usePages<Invoice>(['/students', studentId, 'invoices'], (cursor, signal) => {
    const query = { limit: 50, ...(cursor && { cursor }) }
    return answer(api.GET('/students/{id}/invoices', { params: { path: { id: studentId }, query }, signal }))
  })
  const open = invoices.rows?.filter(({ status }) => OPEN.includes(status))
  return (
    <Section title={people.openInvoices}>
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

/** What is still to be paid of one invoice. */
export const InvoiceRow = ({
  invoice,
}: {
  invoice: Pick<Invoice, 'number' | 'status' | 'dueDate' | 'total' | 'balance'>
}) => {
  const { people } = useWords()
  const format = useFormat()
  const { number, status, dueDate, total, balance } = invoice
  return (
    <div className="row">
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
    </div>
  )
}
