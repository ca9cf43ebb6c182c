import { pause } from './pause.ts'

const LONGEST_MILLIS = 10_000
const LOOK_AGAIN_MILLIS = 100

/** What only one tab of this browser does at a time. */
type Work = 'institute.renewing' | `institute.sending.${string}`

const isHeld = (name: Work): boolean => Number(localStorage.getItem(name) ?? 0) > Date.now()

/**
 * Runs `work` while no other tab of this browser does. Plain HTTP of a local network has no navigator.locks: there a mark
 * in localStorage stands for the lock. Two tabs may take it in the same instant; the server forgives that.
 */
export const oneTabAtATime = async <T>(name: Work, work: () => Promise<T>): Promise<T> => {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing on plain HTTP
  if (navigator.locks) return navigator.locks.request(name, work)
  // oxlint-disable-next-line no-await-in-loop -- it waits for the other tab
  while (isHeld(name)) await pause(LOOK_AGAIN_MILLIS)
  localStorage.setItem(name, String(Date.now() + LONGEST_MILLIS))
  try {
    return await work()
  } finally {
    localStorage.removeItem(name)
  }
}
