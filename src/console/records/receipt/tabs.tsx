import { Link } from 'wouter'
import { useWords } from '../../words/language.tsx'

/** Leads from the list of receipts to those of credit notes and of refunds, and back: who may see one sees all. */
export const ReceiptTabs = ({ at }: { at: '/receipts' | '/credit-notes' | '/refunds' }) => {
  const { accounts, directory, invoices } = useWords()
  const lists = [
    ['/receipts', invoices.receipts],
    ['/credit-notes', accounts.creditNotes],
    ['/refunds', accounts.refunds],
  ] as const
  return (
    <nav className="list-tabs" aria-label={directory.which}>
      {lists.map(([path, label]) => (
        <Link key={path} href={path} aria-current={at === path ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
