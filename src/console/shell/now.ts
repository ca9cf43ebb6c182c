import { useSyncExternalStore } from 'react'

const EVERY_MILLIS = 30_000

let now = new Date().toISOString()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  now = new Date().toISOString()
  for (const watcher of watchers) watcher()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  if (watchers.size === 1) {
    tick()
    timer = setInterval(tick, EVERY_MILLIS)
  }
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) clearInterval(timer)
  }
}

/** This instant, as the API writes it. What depends on it is shown anew twice a minute. */
export const useNow = (): string => useSyncExternalStore(subscribe, () => now)
