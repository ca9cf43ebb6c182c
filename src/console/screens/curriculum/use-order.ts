import { useRef, useState } from 'react'
import { afterChange, useChange } from '../../api/queries.ts'
import { Problem } from '../../api/problem.ts'

interface Order {
  ids: string[]
  /** As they stood for whoever sorts them: where somebody else was first, the server says so. */
  seen: string[]
}

/**
 * A list that is sorted: it stands in its new order at once, and as it was where that was refused or nobody answered. What
 * is sorted while the former order is on its way goes after it.
 */
export const useOrder = <T extends { id: string }>(items: readonly T[], send: (order: Order) => Promise<unknown>) => {
  const change = useChange('curriculum', (order: Order) => send(order))
  const [wanted, setWanted] = useState<readonly string[]>()
  const [failed, setFailed] = useState<{ problem: unknown; ids: string[] }>()
  const former = useRef<Promise<unknown>>(Promise.resolve())
  const byId = new Map(items.map((item) => [item.id, item]))
  const isWhole = wanted?.length === items.length && wanted.every((id) => byId.has(id))
  const shown = isWhole ? wanted.map((id) => byId.get(id) as T) : items

  const sort = (ids: string[]) => {
    const seen = shown.map(({ id }) => id)
    setWanted(ids)
    setFailed(undefined)
    const sent = former.current.then(() => change.mutateAsync({ ids, seen }))
    const settled = sent.catch((problem: unknown) => {
      setFailed({ problem, ids })
      return afterChange('curriculum')
    })
    former.current = settled
    void settled.then(() => {
      if (former.current === settled) setWanted(undefined)
    })
  }
  /** Moves one by so many places. */
  const move = (id: string, by: number) => {
    const ids = shown.map((item) => item.id)
    const at = ids.indexOf(id)
    const rest = ids.filter((one) => one !== id)
    sort([...rest.slice(0, at + by), id, ...rest.slice(at + by)])
  }
  const isLost = failed?.problem instanceof Problem && failed.problem.isUnreachable
  return {
    shown,
    sort,
    move,
    problem: failed?.problem,
    retry: isLost ? () => failed && sort(failed.ids) : undefined,
  }
}
