import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { payments } from '../../api/intents/payments.ts'
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
      payments.onAnswer(({ reply, isElsewhere }, isAwaited) => {
        if (reply && isElsewhere && !isAwaited) latest.current(reply)
      }),
    [],
  )
}

interface Sent {
  askAgain: () => void
  leave: () => void
}

/**
 * Takes a payment. Where the answer is lost, the same is asked again until one comes; when the page is left, the frame
 * tells of it. A button that is pressed twice sends it once.
 */
export const useTake = (onTaken: (receipt: Receipt) => void) => {
  const sent = useRef<Sent>(undefined)
  const latest = useRef(onTaken)
  const [isBusy, setBusy] = useState(false)
  const [isUncertain, setUncertain] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    latest.current = onTaken
  })
  useEffect(() => () => sent.current?.leave(), [])

  const send = (body: Schemas['NewReceipt']): void => {
    if (sent.current) return sent.current.askAgain()
    setBusy(true)
    setProblem(undefined)
    const { key, isUnanswered, askAgain, ignore } = payments.take(body, ({ reply, refusal }) => {
      stopWaiting()
      if (reply) return latest.current(reply)
      sent.current = undefined
      setBusy(false)
      setUncertain(false)
      if (refusal) setProblem(new Problem(refusal.status, refusal))
    })
    const stopWaiting = payments.awaits(key)
    const leave = (): void => {
      ignore()
      stopWaiting()
    }
    sent.current = { askAgain, leave }
    void isUnanswered.then(setUncertain)
  }
  return { send, isBusy, isUncertain, problem }
}
