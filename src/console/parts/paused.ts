import { useEffect, useState } from 'react'

/** Long enough for the next letter of somebody who types fast. */
export const PAUSE_MILLIS = 150

/** What is typed, once the typing pauses. */
export const usePaused = (typed: string): string => {
  const [paused, setPaused] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), PAUSE_MILLIS)
    return () => clearTimeout(timer)
  }, [typed])
  return paused
}
