import { useState, useSyncExternalStore } from 'react'
import { useMe } from './me.tsx'
import { usePush } from './push.ts'

const KEY = 'institute.push-offer'
const watchers = new Set<() => void>()

/** Nobody is asked again in this browser. */
export const leavePushOffer = (): void => {
  localStorage.setItem(KEY, 'told')
  for (const watcher of watchers) watcher()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Whether somebody on a phone is asked for messages there. */
export const usePushOffer = (): boolean => {
  const { isImpersonated } = useMe()
  const push = usePush()
  const wasLeft = useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== null)
  const [isPhone] = useState(() => matchMedia('(pointer: coarse)').matches)
  return isPhone && !isImpersonated && !wasLeft && push === 'off'
}
