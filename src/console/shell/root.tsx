import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { isTooOld, Started, tellTrouble } from './trouble.tsx'

/** Draws the page. What throws while it is drawn leaves words, and no white page. */
export const draw = (page: ReactNode): void => {
  const root = createRoot(document.querySelector('#console') as HTMLElement, {
    onUncaughtError: (error) => {
      tellTrouble()
      // As reportError says it, which browsers of 2021 lack.
      setTimeout(() => {
        throw error
      })
    },
  })
  root.render(
    <StrictMode>
      <Started>{page}</Started>
    </StrictMode>,
  )
}

/** Starts a page, unless this browser is too old for it. */
export const begin = (start: () => Promise<void>): void => {
  if (isTooOld()) return
  start().catch((error: unknown) => {
    tellTrouble()
    throw error
  })
}
