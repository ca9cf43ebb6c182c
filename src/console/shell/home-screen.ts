import { useSyncExternalStore } from 'react'
import { installPrompt, OFFERED } from './install-prompt.ts'

const KEY = 'institute.home-screen'
const watchers = new Set<() => void>()

const tellWatchers = (): void => {
  for (const watcher of watchers) watcher()
}

export const isOnHomeScreen = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

/** An iPad calls itself a Mac. */
export const isOfApple = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** `offered`: the browser does it when it is asked; `told`: people do it by themselves. */
type HomeScreen = 'offered' | 'told' | undefined

const state = (): HomeScreen => {
  if (isOnHomeScreen() || localStorage.getItem(KEY) !== null || !matchMedia('(pointer: coarse)').matches)
    return undefined
  if (installPrompt()) return 'offered'
  return isOfApple() ? 'told' : undefined
}

/** Nobody is told again in this browser. */
export const leaveHomeScreen = (): void => {
  localStorage.setItem(KEY, 'told')
  tellWatchers()
}

export const putOnHomeScreen = async (): Promise<void> => {
  await installPrompt()?.prompt()
  leaveHomeScreen()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  addEventListener(OFFERED, watcher)
  return () => {
    watchers.delete(watcher)
    removeEventListener(OFFERED, watcher)
  }
}

/** How this page gets on the home screen of this phone; undefined: it is there, or nobody wants to hear of it. */
export const useHomeScreen = (): HomeScreen => useSyncExternalStore(subscribe, state)
