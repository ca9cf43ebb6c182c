import { useState } from 'react'
import { usePages } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { readInvoicesOf } from '../../records/invoice/reads.ts'
import { InvoiceRow, ReceiptsLink } from '../../records/invoice/row.tsx'
import { isOpen } from '../../records/invoice/status.tsx'
import { PriceSheet } from '../../records/price/sheet.tsx'

/** The open invoices, the newest first. The balance stands in the head. */
export const Money = ({ studentId, name }: { studentId: string; name: string }) => {
  const { accounts, people, invoices: words, discounts, shell } = useWords()
  const [isPriced, setPriced] = useState(false)
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
          <ButtonLink look="quiet" to={`/students/${studentId}/account`}>
            {accounts.title}
          </ButtonLink>
          <Button look="quiet" onPress={() => setPriced(true)}>
            {discounts.price}
          </Button>
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
      {isPriced && <PriceSheet of={{ studentId }} name={name} onClose={() => setPriced(false)} />}
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
