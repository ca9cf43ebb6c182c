import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import {
  forgetPayment,
  isTooOld,
  onPaymentAnswer,
  useSendingPayments,
  useUnanswered,
  type KeptPayment,
} from '../../api/intents/payments.ts'
import { Problem } from '../../api/problem.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { isolate } from '../../words/format.ts'

type Outcome = { receipt: Schemas['Receipt'] } | { payment: KeptPayment; problem: Problem }

/** Payments whose answer was lost, with the page that sent them or with the tab: asked for again until it comes. */
export const Screen = () => {
  const unanswered = useUnanswered()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  useSendingPayments()
  useEffect(
    () =>
      onPaymentAnswer(({ kept: payment, reply, refusal, isElsewhere }, isAwaited) => {
        // The page that waits for it tells of it, or the window that sent it.
        if (isAwaited || isElsewhere || !payment) return
        const outcome = reply
          ? { receipt: reply }
          : refusal && { payment, problem: new Problem(refusal.status, refusal) }
        if (outcome) setOutcomes((before) => [...before, outcome])
      }),
    [],
  )
  return (
    <>
      {unanswered.map((payment) => (
        <Asking key={payment.key} payment={payment} />
      ))}
      {outcomes.map((outcome) => (
        <Told
          key={'receipt' in outcome ? outcome.receipt.id : outcome.payment.key}
          outcome={outcome}
          onClose={() => setOutcomes((before) => before.filter((one) => one !== outcome))}
        />
      ))}
    </>
  )
}

const useSum = () => {
  const format = useFormat()
  return ({ allocations, currency }: KeptPayment['body']) =>
    isolate(format.money({ amountMinor: allocations.reduce((all, { amountMinor }) => all + amountMinor, 0), currency }))
}

const Asking = ({ payment }: { payment: KeptPayment }) => {
  const { payment: words, shell, invoices } = useWords()
  const format = useFormat()
  const sumOf = useSum()
  const isLost = isTooOld(payment)
  const when = isolate(format.moment(payment.savedAt))
  return (
    <Notice meaning="warn" icon="clock">
      <span className="grow">
        {isLost ? words.unknownFor(sumOf(payment.body), when) : words.unanswered(sumOf(payment.body), when)}
      </span>
      {isLost && (
        <>
          <ButtonLink look="quiet" to="/receipts">
            {invoices.receipts}
          </ButtonLink>
          <Button look="quiet" onPress={() => void forgetPayment(payment)}>
            {shell.close}
          </Button>
        </>
      )}
    </Notice>
  )
}

const Told = ({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) => {
  const all = useWords()
  const { payment: words, shell } = all
  const format = useFormat()
  const sumOf = useSum()
  const isTaken = 'receipt' in outcome
  return (
    <Notice meaning={isTaken ? 'good' : 'bad'} isAlert>
      <span className="grow">
        {isTaken
          ? words.done(isolate(format.money(outcome.receipt.amount)))
          : `${words.notTaken(sumOf(outcome.payment.body))} ${explain(all, outcome.problem)}`}
      </span>
      {isTaken && (
        <ButtonLink look="quiet" to={`/receipts/${outcome.receipt.id}`}>
          {words.receiptNumber(isolate(outcome.receipt.number))}
        </ButtonLink>
      )}
      <Button look="quiet" onPress={onClose}>
        {shell.close}
      </Button>
    </Notice>
  )
}
