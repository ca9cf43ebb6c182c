import { useEffect, type ReactNode } from 'react'

/** What the page itself says while nothing of the console runs: src/app/pages/trouble.ts. */

const state = (): string | undefined => document.documentElement.dataset.trouble

/** Whether the page says that this browser is too old. */
export const isTooOld = (): boolean => state() === 'old'

/** Says that the page is not complete, and offers to load it again. */
export const tellTrouble = (): void => {
  window.dispatchEvent(new Event('trouble'))
}

/** Once something is shown, the page need not say that it waits; what it says of a part that did not come stays. */
export const Started = ({ children }: { children: ReactNode }) => {
  useEffect(() => {
    const box = document.querySelector<HTMLElement>('#trouble')
    if (!box || state() !== undefined) return
    box.hidden = true
    // The page's first link is the one that skips to what it is about.
    document.body.append(box)
  }, [])
  return children
}
