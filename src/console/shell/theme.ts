import { useSyncExternalStore } from 'react'

/** `system`: as the device is set. */
export type Theme = 'light' | 'dark' | 'system'

const KEY = 'institute.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const watchers = new Set<() => void>()

const chosen = (): Theme => {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

const show = (): void => {
  const theme = chosen()
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  for (const watcher of watchers) watcher()
}

export const startTheme = (): void => {
  dark.addEventListener('change', show)
  show()
}

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  show()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosen)
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === 'dark')
