import { usePages } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { readInvoicesOf } from '../../records/invoice/reads.ts'
import { InvoiceRow, ReceiptsLink } from '../../records/invoice/row.tsx'
import { isOpen } from '../../records/invoice/status.tsx'

/** The open invoices, the newest first. The balance stands in the head. */
export const Money = ({ studentId, name }: { studentId: string; name: string }) => {
  const { people, invoices: words, shell } = useWords()
  const { can } = useMe()
  const invoices = usePages(['/students', studentId, 'invoices'], (cursor, signal) =>
    readInvoicesOf(studentId, { limit: 50, cursor }, signal),
  )
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
