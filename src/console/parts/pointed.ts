import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

interface Pointed {
  'aria-current'?: true
  ref?: (element: HTMLElement | null) => void
}

/** The one of a list that the address names by this parameter: it is marked, and scrolled to once it is there. */
export const usePointed = (name: string): ((id: string) => Pointed) => {
  const [params] = useSearchParams()
  const wanted = params.get(name)
  const show = useCallback((element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' }), [])
  return (id) => (id === wanted ? { 'aria-current': true, ref: show } : {})
}
