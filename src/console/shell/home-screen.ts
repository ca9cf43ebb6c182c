import { useSyncExternalStore } from 'react'

/** What Chromium gives to a page that can be put on the home screen; types of the DOM lack it. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const KEY = 'institute.home-screen'
const watchers = new Set<() => void>()

let prompt: InstallPrompt | undefined

const tellWatchers = (): void => {
  for (const watcher of watchers) watcher()
}

/** Keeps what the browser offers until somebody wants it. It comes once, before anything is drawn, and over HTTPS alone. */
export const watchHomeScreen = (): void => {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    prompt = event as InstallPrompt
    tellWatchers()
  })
}

const isThere = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

/** An iPad calls itself a Mac. */
const isOfApple = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** `offered`: the browser does it when it is asked; `told`: people do it by themselves. */
type HomeScreen = 'offered' | 'told' | undefined

const state = (): HomeScreen => {
  if (isThere() || localStorage.getItem(KEY) !== null || !matchMedia('(pointer: coarse)').matches) return undefined
  if (prompt) return 'offered'
  return isOfApple() ? 'told' : undefined
}

/** Nobody is told again in this browser. */
export const leaveHomeScreen = (): void => {
  localStorage.setItem(KEY, 'told')
  tellWatchers()
}

export const putOnHomeScreen = async (): Promise<void> => {
  await prompt?.prompt()
  leaveHomeScreen()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** How this page gets on the home screen of this phone; undefined: it is there, or nobody wants to hear of it. */
export const useHomeScreen = (): HomeScreen => useSyncExternalStore(subscribe, state)
