import { useCallback, useEffect, useRef, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { isDecided } from '../../api/intent.ts'
import type { Problem } from '../../api/problem.ts'
import { afterChange, queryClient } from '../../api/queries.ts'
import { randomName } from '../../api/random.ts'
import { forgetUnanswered, keepUnanswered, leaveUnanswered, type Unanswered } from './unanswered.ts'

type Receipt = Schemas['Receipt']
export type Method = Receipt['method']

const AGAIN_MILLIS = 3000

/** Tabs of one browser tell each other of money that was taken: what they show of it is old. */
const tabs = new BroadcastChannel('institute-payments')

/** Calls back with each payment that another tab took. */
export const useTakenElsewhere = (onTaken: (receipt: Receipt) => void): void => {
  const latest = useRef(onTaken)
  useEffect(() => {
    latest.current = onTaken
  })
  useEffect(() => {
    const hear = ({ data }: MessageEvent<Receipt>) => {
      void afterChange('payment')
      latest.current(data)
    }
    tabs.addEventListener('message', hear)
    return () => tabs.removeEventListener('message', hear)
  }, [])
}

/** Records it, once however often it is asked. @throws Problem */
export const askFor = async ({ name, body }: Unanswered): Promise<Receipt> => {
  const header = { 'Idempotency-Key': name }
  try {
    const receipt = await answer(api.POST('/payments', { body, params: { header } }))
    forgetUnanswered(name)
    queryClient.setQueryData(['/receipts', receipt.id], receipt)
    tabs.postMessage(receipt)
    void afterChange('payment')
    return receipt
  } catch (error) {
    if (isDecided(error)) {
      forgetUnanswered(name)
      // It was refused because something is other than the page says.
      void afterChange('payment')
    }
    throw error
  }
}

/**
 * Takes a payment. Where the answer is lost, the same is asked again until one comes: by this page, and by the frame when
 * it is left. A button that is pressed twice sends it once.
 */
export const useTake = (onTaken: (receipt: Receipt) => void) => {
  const [asked, setAsked] = useState<Unanswered>()
  const [isUncertain, setUncertain] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const isOnItsWay = useRef(false)

  const ask = useCallback(
    async (payment: Unanswered) => {
      if (isOnItsWay.current) return
      isOnItsWay.current = true
      try {
        onTaken(await askFor(payment))
      } catch (error) {
        if (!isDecided(error)) return setUncertain(true)
        setAsked(undefined)
        setUncertain(false)
        setProblem(error as Problem)
      } finally {
        isOnItsWay.current = false
      }
    },
    [onTaken],
  )
  useEffect(() => {
    if (!asked || !isUncertain) return undefined
    const timer = setInterval(() => void ask(asked), AGAIN_MILLIS)
    return () => clearInterval(timer)
  }, [asked, isUncertain, ask])
  useEffect(() => {
    if (!asked) return undefined
    return () => leaveUnanswered(asked.name)
  }, [asked])

  const send = (body: Unanswered['body']): void => {
    if (asked) return void ask(asked)
    setProblem(undefined)
    const payment = { name: randomName(), body, askedAt: new Date().toISOString() }
    keepUnanswered(payment)
    setAsked(payment)
    void ask(payment)
  }
  return { send, isBusy: asked !== undefined, isUncertain, problem }
}
