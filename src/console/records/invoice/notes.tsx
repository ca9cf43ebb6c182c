import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { usePaper } from '../../parts/paper-button.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface NoteRowProps {
  note: Schemas['CreditNote']
  /** Whether the invoice is named: it is not where the page is about it. */
  hasInvoice?: boolean
}

/** A credit note, and its paper. */
export const NoteRow = ({ note, hasInvoice }: NoteRowProps) => {
  const { accounts: words } = useWords()
  const format = useFormat()
  const paper = usePaper()
  const { id, number, reason, issueDate, amount, toCredit, invoiceId, invoiceNumber, payerName } = note
  return (
    <div className="row">
      <span className="grow">
        <span className="name ltr-text">{number}</span>
        <span className="about">
          <Dotted>
            {format.date(issueDate)}
            {hasInvoice && (
              <Link href={`/invoices/${invoiceId}`} className="link ltr">
                {invoiceNumber}
              </Link>
            )}
            {hasInvoice && payerName !== null && <bdi>{payerName}</bdi>}
            <bdi>{reason}</bdi>
            {toCredit.amountMinor > 0 && words.becameCredit(format.money(toCredit))}
          </Dotted>
        </span>
      </span>
      <IconButton
        icon="download"
        label={words.paperOf(number)}
        isDisabled={paper.isBusy}
        onPress={() => void paper.give(`/credit-notes/${id}/pdf`)}
      />
      <bdi className="amount">{format.money(amount)}</bdi>
    </div>
  )
}
