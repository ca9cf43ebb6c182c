import { useEffect, useState } from 'react'

/** What is typed, a moment after the typing stops. */
export const useSettled = <T>(typed: T, pauseMillis: number): T => {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMillis)
    return () => clearTimeout(timer)
  }, [typed, pauseMillis])
  return settled
}
