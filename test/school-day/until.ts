import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition is true, up to a time limit. @returns whether it became true */
export const until = async (isTrue: () => Promise<boolean>, millis: number, everyMillis = 50): Promise<boolean> => {
  const end = performance.now() + millis
  while (!(await isTrue())) {
    if (performance.now() > end) return false
    await pause(everyMillis)
  }
  return true
}
