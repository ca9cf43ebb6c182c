import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { onPaymentAnswer, takePayment } from '../../api/intents/payments.ts'
import { Problem } from '../../api/problem.ts'

type Receipt = Schemas['Receipt']
export type Method = Receipt['method']

/** Calls back with each payment that another tab took. */
export const useTakenElsewhere = (onTaken: (receipt: Receipt) => void): void => {
  const latest = useRef(onTaken)
  useEffect(() => {
    latest.current = onTaken
  })
  useEffect(
    () =>
      onPaymentAnswer(({ reply, isElsewhere }, isAwaited) => {
        if (reply && isElsewhere && !isAwaited) latest.current(reply)
      }),
    [],
  )
}

/**
 * Takes a payment. Where the answer is lost, the same is asked again until one comes; when the page is left, the frame
 * tells of it. A button that is pressed twice sends it once.
 */
export const useTake = (onTaken: (receipt: Receipt) => void) => {
  const payment = useRef<ReturnType<typeof takePayment>>(undefined)
  const latest = useRef(onTaken)
  const [isBusy, setBusy] = useState(false)
  const [isUncertain, setUncertain] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    latest.current = onTaken
  })
  useEffect(() => () => payment.current?.leave(), [])

  const send = (body: Schemas['NewReceipt']): void => {
    if (payment.current) return payment.current.askAgain()
    setBusy(true)
    setProblem(undefined)
    const taken = takePayment(body, ({ reply, refusal }) => {
      if (reply) return latest.current(reply)
      payment.current = undefined
      setBusy(false)
      setUncertain(false)
      if (refusal) setProblem(new Problem(refusal.status, refusal))
    })
    payment.current = taken
    void taken.isUnanswered.then(setUncertain)
  }
  return { send, isBusy, isUncertain, problem }
}
