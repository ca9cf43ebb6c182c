import { payments } from '../../api/intents/payments.ts'
import type { Schemas } from '../../api/client.ts'
import { KeptNotices } from '../../parts/kept-notices.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Payments of whose answer no page waits. */
export const Screen = () => {
  const { payment: words, invoices } = useWords()
  const format = useFormat()
  const sumOf = ({ allocations = [], amountMinor, currency }: Schemas['NewReceipt']) =>
    format.money({ amountMinor: amountMinor ?? allocations.reduce((all, one) => all + one.amountMinor, 0), currency })
  const unanswered = payments.useUnanswered()
  payments.useSending()
  return (
    <KeptNotices
      sender={payments}
      unanswered={unanswered}
      words={{
        unanswered: (body, when) => words.unanswered(sumOf(body), when),
        unknown: (body, when) => words.unknownFor(sumOf(body), when),
        lookAt: { to: '/receipts', label: invoices.receipts },
        done: ({ id, number, amount }) => ({
          text: words.done(format.money(amount)),
          link: { to: `/receipts/${id}`, label: words.receiptNumber(number) },
        }),
        refused: (body) => words.notTaken(sumOf(body)),
      }}
    />
  )
}
