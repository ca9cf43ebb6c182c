import { lazy, type ComponentType } from 'react'

const RELOADED = 'institute.reloaded'
const AGAIN_AFTER_MILLIS = 60_000

/** The server was updated while the page was open: the part that it asks for has another name now. A fresh page knows it. */
export const reloadOnce = (error: unknown): never => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < AGAIN_AFTER_MILLIS) throw error
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  throw error
}

/** What is loaded when it is shown for the first time. */
export const later = <P extends object>(load: () => Promise<{ Screen: ComponentType<P> }>) =>
  lazy(() => load().then(({ Screen }) => ({ default: Screen }), reloadOnce))
