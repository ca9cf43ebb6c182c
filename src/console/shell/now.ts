import { useSyncExternalStore } from 'react'

const HALF_MINUTE_MILLIS = 30_000

const everyHalfMinute = (tell: () => void): (() => void) => {
  const timer = setInterval(tell, HALF_MINUTE_MILLIS)
  document.addEventListener('visibilitychange', tell)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tell)
  }
}

/** The time in milliseconds, to half a minute. What depends on it is shown anew then. */
export const useNow = (): number =>
  useSyncExternalStore(everyHalfMinute, () => Math.floor(Date.now() / HALF_MINUTE_MILLIS) * HALF_MINUTE_MILLIS)

/** The same as the API writes it. */
export const useInstant = (): string => new Date(useNow()).toISOString()
