import { useSyncExternalStore } from 'react'

/** Whether the window is at least this wide, in pixels. */
export const useIsWide = (pixels: number): boolean => {
  const query = matchMedia(`(min-width: ${pixels}px)`)
  return useSyncExternalStore(
    (tell) => {
      query.addEventListener('change', tell)
      return () => query.removeEventListener('change', tell)
    },
    () => query.matches,
  )
}
