import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Entry = Schemas['TillEntry']

/** What lies in the till, the newest first: where a difference comes from is found by it. */
export const Movements = () => {
  const { till: words } = useWords()
  const entries = usePages<Entry>(['/tills', 'entries'], (cursor, signal) =>
    answer(api.GET('/tills/entries', { params: { query: { limit: 20, ...(cursor && { cursor }) } }, signal })),
  )
  return (
    <Section title={words.movements}>
      <Rows pages={entries} label={words.movements} keyOf={({ id }) => id} empty={<p>{words.empty}</p>}>
        {(entry) => <EntryRow entry={entry} />}
      </Rows>
    </Section>
  )
}

const EntryRow = ({ entry }: { entry: Entry }) => {
  const { payment, till: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { kind, method, amount, number, payerName, receiptId, createdAt } = entry
  const said = (
    <>
      <span className="grow">
        <bdi className="name">{payerName ?? number}</bdi>
        <span className="about">
          <Dotted>
            {format.moment(createdAt)}
            {payment.methods[method]}
            {kind !== 'received' && words.kinds[kind]}
            {payerName !== null && number !== null && <span className="ltr">{number}</span>}
          </Dotted>
        </span>
      </span>
      <bdi className="amount">{format.money(amount)}</bdi>
    </>
  )
  return receiptId !== null && can('invoices.read') ? (
    <Link href={`/receipts/${receiptId}`} className="row">
      {said}
      <Icon name="forward" />
    </Link>
  ) : (
    <div className="row">{said}</div>
  )
}
