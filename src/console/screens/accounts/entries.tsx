import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { IconButton } from '../../parts/button.tsx'
import { usePaper } from '../../parts/paper-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Holder } from './holder.ts'

type Entry = Schemas['AccountEntry']

interface EntriesProps {
  holder: Holder
  scope: 'own' | 'family'
  currency: string | undefined
}

/** All that happened, the newest first, each with the balance after it. */
export const Entries = ({ holder: { kind, id }, scope, currency }: EntriesProps) => {
  const { accounts: words } = useWords()
  const entries = usePages<Entry>([`/${kind}`, id, 'account', scope, currency ?? '', 'entries'], (cursor, signal) => {
    const chosen = currency === undefined ? {} : { currency: currency as Schemas['Currency'] }
    const query = { scope, limit: 50, ...chosen, ...(cursor && { cursor }) }
    const params = { path: { id }, query }
    return answer<Schemas['AccountEntryPage']>(
      kind === 'guardians'
        ? api.GET('/guardians/{id}/account/entries', { params, signal })
        : api.GET('/students/{id}/account/entries', { params, signal }),
    )
  })
  return (
    <Rows
      // Two entries may say the same: their place tells them apart.
      pages={{ ...entries, rows: entries.rows?.map((entry, at) => ({ ...entry, at })) }}
      label={words.entries}
      keyOf={({ at }) => at}
      empty={<p>{words.none}</p>}
      head={
        <div className="row entry entry-head" aria-hidden="true">
          <span className="date">{words.date}</span>
          <span className="what">{words.what}</span>
          <span className="number">{words.number}</span>
          <span className="debit">{words.debit}</span>
          <span className="credit">{words.paid}</span>
          <span className="after">{words.balance}</span>
        </div>
      }
    >
      {(entry) => <EntryRow entry={entry} />}
    </Rows>
  )
}

/** Where more is to be seen of it. */
const addressOf = ({ kind, receiptId, invoiceId }: Entry): string | undefined => {
  if (receiptId !== null && kind !== 'invoice') return `/receipts/${receiptId}`
  return invoiceId === null ? undefined : `/invoices/${invoiceId}`
}

const paperOf = ({ creditNoteId, refundId }: Entry): string | undefined => {
  if (creditNoteId !== null) return `/credit-notes/${creditNoteId}/pdf`
  return refundId === null ? undefined : `/refunds/${refundId}/pdf`
}

const EntryRow = ({ entry }: { entry: Entry }) => {
  const { accounts: words } = useWords()
  const format = useFormat()
  const paper = usePaper()
  const { date, kind, reference, studentName, debit, credit, balance } = entry
  const address = addressOf(entry)
  const path = paperOf(entry)
  return (
    <div className="row entry">
      <span className="date">{format.date(date)}</span>
      <span className="what">
        <span className="name">{words.kinds[kind]}</span>
        {studentName !== null && (
          <span className="of">
            <bdi>{studentName}</bdi>
          </span>
        )}
      </span>
      <span className="number">
        {address === undefined ? (
          <span className="ltr">{reference}</span>
        ) : (
          <Link href={address} className="link ltr">
            {reference}
          </Link>
        )}
        {path !== undefined && (
          <IconButton
            icon="download"
            label={words.paperOf(reference)}
            isDisabled={paper.isBusy}
            onPress={() => void paper.give(path)}
          />
        )}
      </span>
      {debit.amountMinor !== 0 && (
        <span className="debit">
          <span className="unseen">{words.debit} </span>
          <bdi>{format.money(debit)}</bdi>
        </span>
      )}
      {credit.amountMinor !== 0 && (
        <span className="credit">
          <span className="unseen">{words.paid} </span>
          <bdi>{format.money(credit)}</bdi>
        </span>
      )}
      <span className="after">
        <span className="unseen">{words.balance} </span>
        <bdi>{format.money(balance)}</bdi>
      </span>
    </div>
  )
}
