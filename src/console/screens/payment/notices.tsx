import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { isDecided } from '../../api/intent.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { isolate } from '../../words/format.ts'
import { askFor } from './take.ts'
import { forgetUnanswered, useUnanswered, type Unanswered } from './unanswered.ts'

const AGAIN_MILLIS = 3000
/** The server knows a request again for a day: an hour less is safe. */
const KNOWN_MILLIS = 23 * 3_600_000

type Outcome = { receipt: Schemas['Receipt'] } | { payment: Unanswered; problem: unknown }

/** Payments whose answer was lost, with the page that sent them or with the tab: asked for again until it comes. */
export const Screen = () => {
  const unanswered = useUnanswered()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const add = (outcome: Outcome) => setOutcomes((before) => [...before, outcome])
  return (
    <>
      {unanswered.map((payment) => (
        <Asking key={payment.name} payment={payment} onOutcome={add} />
      ))}
      {outcomes.map((outcome) => (
        <Told
          key={'receipt' in outcome ? outcome.receipt.id : outcome.payment.name}
          outcome={outcome}
          onClose={() => setOutcomes((before) => before.filter((one) => one !== outcome))}
        />
      ))}
    </>
  )
}

const useSum = () => {
  const format = useFormat()
  return ({ allocations, currency }: Unanswered['body']) =>
    isolate(format.money({ amountMinor: allocations.reduce((all, { amountMinor }) => all + amountMinor, 0), currency }))
}

const Asking = ({ payment, onOutcome }: { payment: Unanswered; onOutcome: (outcome: Outcome) => void }) => {
  const { payment: words, shell, invoices } = useWords()
  const format = useFormat()
  const sumOf = useSum()
  const isTooOld = Date.now() - Date.parse(payment.askedAt) > KNOWN_MILLIS
  useEffect(() => {
    if (isTooOld) return undefined
    let isOnItsWay = false
    const ask = async () => {
      if (isOnItsWay) return
      isOnItsWay = true
      try {
        onOutcome({ receipt: await askFor(payment) })
      } catch (problem) {
        if (isDecided(problem)) onOutcome({ payment, problem })
      } finally {
        isOnItsWay = false
      }
    }
    const timer = setInterval(() => void ask(), AGAIN_MILLIS)
    return () => clearInterval(timer)
    // The entry is read anew each time; its name stands for it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [payment.name, isTooOld])
  const when = isolate(format.moment(payment.askedAt))
  return (
    <Notice meaning="warn" icon="clock">
      <span className="grow">
        {isTooOld ? words.unknownFor(sumOf(payment.body), when) : words.unanswered(sumOf(payment.body), when)}
      </span>
      {isTooOld && (
        <>
          <ButtonLink look="quiet" to="/receipts">
            {invoices.receipts}
          </ButtonLink>
          <Button look="quiet" onPress={() => forgetUnanswered(payment.name)}>
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
