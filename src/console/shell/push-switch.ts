import { useState } from 'react'
import { explain } from '../parts/problem-notice.tsx'
import { toast } from '../parts/toast.tsx'
import { useWords } from '../words/language.tsx'
import { askForPush, useTurnPushOff, useTurnPushOn } from './push.ts'

/** What a browser throws where it does not reach its push service, or may not. */
const UNREACHED = ['AbortError', 'NotAllowedError', 'NetworkError']

/** Turns messages to this browser on and off, and says what became of it. */
export const usePushSwitch = () => {
  const words = useWords()
  const { account } = words
  const [fault, setFault] = useState<string>()
  const on = useTurnPushOn(() => toast(account.deviceTurnedOn))
  const off = useTurnPushOff(() => toast(account.deviceTurnedOff))
  const onError = (error: unknown): void =>
    setFault(
      error instanceof DOMException && UNREACHED.includes(error.name) ? account.deviceUnreached : explain(words, error),
    )
  const turnOn = async (): Promise<void> => {
    setFault(undefined)
    const permission = await askForPush()
    if (permission === 'granted') on.mutate(undefined, { onError })
    // What is forbidden now, the state says.
    if (permission === 'default') setFault(account.deviceUnanswered)
  }
  return {
    turnOn: () => void turnOn(),
    turnOff: () => {
      setFault(undefined)
      off.mutate(undefined, { onError })
    },
    isBusy: on.isPending || off.isPending,
    /** What went wrong, in words. */
    fault,
  }
}
