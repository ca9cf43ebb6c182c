import { useState } from 'react'

/** Which columns somebody wants to see, in this browser. */
export const useColumns = <Id extends string>(list: string, all: readonly Id[], usual: readonly Id[]) => {
  const key = `institute.columns.${list}`
  const [shown, setShown] = useState<readonly Id[]>(() => {
    const kept = localStorage.getItem(key)?.split(' ')
    return kept ? all.filter((id) => kept.includes(id)) : usual
  })
  const toggle = (id: Id) => {
    const next = all.filter((one) => (one === id ? !shown.includes(id) : shown.includes(one)))
    localStorage.setItem(key, next.join(' '))
    setShown(next)
  }
  return { shown, toggle }
}
