import type { Schemas } from '../../api/client.ts'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'

export type Status = Schemas['InvoiceStatus']

export const STATUSES: readonly Status[] = ['draft', 'issued', 'partially_paid', 'overdue', 'paid', 'void']

/** Something is to be paid on them. */
export const OPEN: readonly Status[] = ['issued', 'partially_paid', 'overdue']

export const isOpen = ({ status }: { status: Status }): boolean => OPEN.includes(status)

type Owed = Pick<Schemas['InvoiceDetail'], 'status' | 'paid' | 'credited' | 'total'>

/** Whether it was neither paid or credited in part nor made void: only then may it be. */
export const mayBeVoid = ({ status, paid, credited }: Owed): boolean =>
  status !== 'void' && paid.amountMinor === 0 && credited.amountMinor === 0

/** Whether some of it may still be taken back. */
export const mayBeCredited = ({ status, credited, total }: Owed): boolean =>
  status !== 'draft' && status !== 'void' && credited.amountMinor < total.amountMinor

const MEANINGS: Readonly<Record<Status, Meaning | undefined>> = {
  draft: undefined,
  issued: 'info',
  partially_paid: 'warn',
  paid: 'good',
  overdue: 'bad',
  void: undefined,
}

export const InvoiceStatus = ({ status }: { status: Status }) => {
  const { people } = useWords()
  const meaning = MEANINGS[status]
  return <Badge {...(meaning && { meaning })}>{people.invoiceStatuses[status]}</Badge>
}
