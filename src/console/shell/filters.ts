import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

interface Filters<Name extends string> {
  /** What the address says; what is missing narrows nothing. */
  filters: Partial<Record<Name, string>>
  /** @param value '': no longer narrowed by it */
  set: (name: Name, value: string) => void
  clear: () => void
}

/** What the address says of the page of a list: a list that is narrowed anew begins at its first one. */
const OF_PAGE = ['after', 'page']

/** The filters of a list live in its address: it can be sent and reloaded, and back leads to the page before. */
export const useFilters = <const Name extends string>(names: readonly Name[]): Filters<Name> => {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const key = names.join(' ')
  const filters = useMemo(() => {
    const said = new URLSearchParams(text)
    const known = key.split(' ').map((name) => [name, said.get(name)] as const)
    return Object.fromEntries(known.filter(([, value]) => value)) as Partial<Record<Name, string>>
  }, [text, key])
  const set = useCallback(
    (name: Name, value: string) =>
      setParams(
        (former) => {
          const next = new URLSearchParams(former)
          if (value === '') next.delete(name)
          else next.set(name, value)
          for (const one of OF_PAGE) next.delete(one)
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  const clear = useCallback(() => setParams({}, { replace: true }), [setParams])
  return { filters, set, clear }
}
