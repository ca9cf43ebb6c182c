import { useEffect, useState, useSyncExternalStore } from 'react'

/** Whoever has not moved for this long is not about to tap. */
const STILL_MILLIS = 2000
const MINUTE_MILLIS = 30_000

const EVENTS = ['pointerdown', 'pointermove', 'pointerup', 'keydown', 'scroll', 'wheel', 'touchmove'] as const

let movedAt = 0
let isListening = false

const listen = (): void => {
  if (isListening) return
  isListening = true
  const moved = () => {
    movedAt = performance.now()
  }
  for (const event of EVENTS) document.addEventListener(event, moved, { capture: true, passive: true })
}

/**
 * The newest value, once nobody is touching the page: what it moves never moves under a finger.
 * @param keyOf what places depend on: a value with the same key takes the place of the former one at once
 */
export const useStill = <T>(value: T, keyOf: (value: T) => string): T => {
  const [shown, setShown] = useState(value)
  useEffect(listen, [])
  const isSamePlaces = keyOf(shown) === keyOf(value)
  useEffect(() => {
    if (isSamePlaces) {
      setShown(value)
      return undefined
    }
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      const still = performance.now() - movedAt
      if (movedAt === 0 || still >= STILL_MILLIS) setShown(value)
      else timer = setTimeout(look, STILL_MILLIS - still)
    }
    look()
    return () => clearTimeout(timer)
  }, [value, isSamePlaces])
  return isSamePlaces ? value : shown
}

const everyHalfMinute = (tell: () => void): (() => void) => {
  const timer = setInterval(tell, MINUTE_MILLIS)
  document.addEventListener('visibilitychange', tell)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tell)
  }
}

/** The time, to the minute. */
export const useNow = (): number =>
  useSyncExternalStore(everyHalfMinute, () => Math.floor(Date.now() / MINUTE_MILLIS) * MINUTE_MILLIS)
