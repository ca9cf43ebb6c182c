import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Invoice } from '../../records/invoice/reads.ts'
import { TakeBack } from '../../records/receipt/take-back.tsx'

type Payment = Schemas['InvoicePayment']

/** What was paid, and what of it was taken back and why. */
export const Payments = ({ invoice: { payments, credits } }: { invoice: Invoice }) => {
  const { invoices: words, accounts } = useWords()
  const format = useFormat()
  const reversals = new Map(payments.map((payment) => [payment.reversesPaymentId, payment]))
  const received = payments.filter(({ reversesPaymentId }) => reversesPaymentId === null)
  return (
    <Section title={words.payments}>
      <div className="card">
        {received.length === 0 && credits.length === 0 && <Empty>{words.noPayments}</Empty>}
        {received.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} reversal={reversals.get(payment.id)} />
        ))}
        {credits
          .filter(({ reversesId }) => reversesId === null)
          .map(({ id, amount, appliedAt }) => {
            const isGone = credits.some(({ reversesId }) => reversesId === id)
            return (
              <div key={id} className="row">
                <span className="grow">
                  <span className="name">{accounts.kinds.credit_applied}</span>
                  <span className="about">
                    <bdi>{format.moment(appliedAt)}</bdi>
                  </span>
                </span>
                {isGone && <Badge meaning="warn">{words.reversed}</Badge>}
                <bdi className={isGone ? 'amount gone' : 'amount'}>{format.money(amount)}</bdi>
              </div>
            )
          })}
      </div>
    </Section>
  )
}

const PaymentRow = ({ payment, reversal }: { payment: Payment; reversal: Payment | undefined }) => {
  const { invoices: words, payment: till } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const [isAsked, setAsked] = useState(false)
  const { method, reference, receivedAt, amount, receiptId, receiptNumber } = payment
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{till.methods[method]}</span>
        <span className="about">
          <Dotted>
            <bdi>{format.moment(receivedAt)}</bdi>
            {receiptId !== null && (
              <Link href={`/receipts/${receiptId}`} className="link">
                {words.receiptOf(receiptNumber ?? '')}
              </Link>
            )}
            {reference !== null && <bdi>{reference}</bdi>}
          </Dotted>
        </span>
        {reversal && (
          <span className="about" dir="auto">
            {words.takenBack(format.date(format.dateOf(reversal.receivedAt)), reversal.reason ?? '')}
          </span>
        )}
      </span>
      {reversal ? (
        <Badge meaning="warn">{words.reversed}</Badge>
      ) : (
        receiptId !== null &&
        can('payments.record') && (
          <Button look="quiet" onPress={() => setAsked(true)}>
            {words.takeBack}
          </Button>
        )
      )}
      <bdi className={reversal ? 'amount gone' : 'amount'}>{format.money(amount)}</bdi>
      {receiptId !== null && <TakeBack id={receiptId} isOpen={isAsked} onClose={() => setAsked(false)} />}
    </div>
  )
}
