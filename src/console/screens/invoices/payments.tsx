import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { isolate } from '../../words/format.ts'
import type { Invoice } from './queries.ts'

type Payment = Schemas['Payment']

/** What was paid, and what of it was taken back and why. */
export const Payments = ({ invoice: { payments } }: { invoice: Invoice }) => {
  const { invoices: words } = useWords()
  const reversals = new Map(payments.map((payment) => [payment.reversesPaymentId, payment]))
  const received = payments.filter(({ reversesPaymentId }) => reversesPaymentId === null)
  return (
    <Section title={words.payments}>
      <div className="card">
        {received.length === 0 && <Empty>{words.noPayments}</Empty>}
        {received.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} reversal={reversals.get(payment.id)} />
        ))}
      </div>
    </Section>
  )
}

const PaymentRow = ({ payment, reversal }: { payment: Payment; reversal: Payment | undefined }) => {
  const { invoices: words, payment: till } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const [isAsked, setAsked] = useState(false)
  const { method, reference, receivedAt, amount } = payment
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{till.methods[method]}</span>
        <span className="about">
          <Dotted>
            <bdi>{format.moment(receivedAt)}</bdi>
            {reference !== null && <bdi>{reference}</bdi>}
          </Dotted>
        </span>
        {reversal && (
          <span className="about" dir="auto">
            {words.takenBack(isolate(format.date(format.dateOf(reversal.receivedAt))), reversal.reason ?? '')}
          </span>
        )}
      </span>
      {reversal ? (
        <Badge meaning="warn">{words.reversed}</Badge>
      ) : (
        can('payments.record') && (
          <Button look="quiet" onPress={() => setAsked(true)}>
            {words.takeBack}
          </Button>
        )
      )}
      <bdi className={reversal ? 'amount gone' : 'amount'}>{format.money(amount)}</bdi>
      <TakeBack payments={[payment]} isOpen={isAsked} onClose={() => setAsked(false)} />
    </div>
  )
}

interface TakeBackProps {
  payments: readonly Payment[]
  isOpen: boolean
  onClose: () => void
}

/** Takes payments back, one after the other. What was taken back before stays so. */
export const TakeBack = ({ payments, isOpen, onClose }: TakeBackProps) => {
  const { invoices: words, payment: till } = useWords()
  const format = useFormat()
  const intents = useIntents()
  const reverse = useChange('payment', async (reason: string) => {
    for (const { id } of payments) {
      const params = { path: { id } }
      const reversal = intents
        .of(id)
        .once(reason, (header) =>
          answer(api.POST('/payments/{id}/reverse', { params: { ...params, header }, body: { reason } })),
        )
      // oxlint-disable-next-line no-await-in-loop -- the first that is refused ends it
      await reversal.catch((error: unknown) => {
        // By somebody else, or by this page before something went wrong with another.
        if (!(error instanceof Problem && error.reason === 'already_reversed')) throw error
      })
    }
  })
  const [first] = payments
  if (!first) return null
  const sum = format.money({
    ...first.amount,
    amountMinor: payments.reduce((all, { amount }) => all + amount.amountMinor, 0),
  })
  return (
    <ReasonConfirm
      title={words.takeBackTitle(
        isolate(sum),
        till.methods[first.method] ?? '',
        isolate(format.date(format.dateOf(first.receivedAt))),
      )}
      verb={words.takeBack}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async (reason) => {
        await reverse.mutateAsync(reason)
        toast(words.tookBack(isolate(sum)))
      }}
    >
      <p className="soft">{words.takeBackText}</p>
    </ReasonConfirm>
  )
}
